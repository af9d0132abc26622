// WebM files (a small part of Matroska): one track of encoded video, in clusters that begin with key frames.

/** An element: its number, and bytes or further elements. */
type Content = Uint8Array | Element[];
interface Element {
  id: number;
  content: Content;
}

function numberBytes(value: number, least = 1): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length < least; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return new Uint8Array(bytes);
}
const uint = (id: number, value: number): Element => ({ id, content: numberBytes(value) });
const text = (id: number, value: string): Element => ({ id, content: new TextEncoder().encode(value) });
function float(id: number, value: number): Element {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return { id, content: bytes };
}

/** Lengths always take eight bytes: the first says so, seven hold the number. */
const LENGTH = 8;
function size(content: Content): number {
  if (content instanceof Uint8Array) return content.length;
  return content.reduce((sum, element) => sum + elementSize(element), 0);
}
function elementSize(element: Element): number {
  return numberBytes(element.id).length + LENGTH + size(element.content);
}

function write(element: Element, into: Uint8Array, at: number): number {
  const id = numberBytes(element.id);
  into.set(id, at);
  at += id.length;
  into.set(numberBytes(size(element.content), LENGTH), at);
  into[at] = 1;
  at += LENGTH;
  if (element.content instanceof Uint8Array) {
    into.set(element.content, at);
    return at + element.content.length;
  }
  for (const child of element.content) at = write(child, into, at);
  return at;
}

export interface VideoChunk {
  milliseconds: number;
  key: boolean;
  data: Uint8Array;
}

/** The bytes of a file. `codec`: V_VP8 or V_VP9. The first chunk must be a key frame. */
export function webm(chunks: VideoChunk[], codec: string, width: number, height: number, duration: number): Uint8Array<ArrayBuffer> {
  const clusters: Element[] = [];
  let blocks: Element[] = [];
  let start = 0;
  for (const chunk of chunks) {
    const time = Math.round(chunk.milliseconds);
    // a block's time is a signed 16-bit number from its cluster's
    if (clusters.length === 0 || chunk.key || time - start > 30000) {
      start = time;
      blocks = [uint(0xe7, time)];
      clusters.push({ id: 0x1f43b675, content: blocks });
    }
    const block = new Uint8Array(4 + chunk.data.length);
    block[0] = 0x81; // track 1
    new DataView(block.buffer).setInt16(1, time - start);
    block[3] = chunk.key ? 0x80 : 0;
    block.set(chunk.data, 4);
    blocks.push({ id: 0xa3, content: block });
  }
  const video = [uint(0xb0, width), uint(0xba, height)];
  const file: Element[] = [
    { id: 0x1a45dfa3, content: [uint(0x4286, 1), uint(0x42f7, 1), uint(0x42f2, 4), uint(0x42f3, 8), text(0x4282, "webm"), uint(0x4287, 2), uint(0x4285, 2)] },
    { id: 0x18538067, content: [
      { id: 0x1549a966, content: [uint(0x2ad7b1, 1000000), float(0x4489, duration), text(0x4d80, "Pliant"), text(0x5741, "Pliant")] },
      { id: 0x1654ae6b, content: [{ id: 0xae, content: [uint(0xd7, 1), uint(0x73c5, 1), uint(0x83, 1), text(0x86, codec), { id: 0xe0, content: video }] }] },
      ...clusters,
    ] },
  ];
  const bytes = new Uint8Array(size(file));
  let at = 0;
  for (const element of file) at = write(element, bytes, at);
  return bytes;
}

/** Encodes frames of a canvas with times of their own, however long they take to draw. */
export class FilmEncoder {
  private readonly chunks: VideoChunk[] = [];
  private readonly encoder: VideoEncoder;
  private codec = "";
  private frames = 0;
  private trouble: Error | null = null;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly fps: number) {
    this.encoder = new VideoEncoder({
      output: (chunk) => {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        this.chunks.push({ milliseconds: chunk.timestamp / 1000, key: chunk.type === "key", data });
      },
      error: (error) => (this.trouble = error),
    });
  }

  /** Chooses a codec that this browser has. */
  async start(): Promise<void> {
    const { width, height } = this.canvas;
    const pixels = width * height;
    for (const [codec, name] of [["vp09.00.41.08", "V_VP9"], ["vp8", "V_VP8"]]) {
      const config: VideoEncoderConfig = { codec, width, height, framerate: this.fps, bitrate: Math.max(1.5e6, 6 * pixels), latencyMode: "quality" };
      const found = await VideoEncoder.isConfigSupported(config).catch(() => null);
      if (!found?.supported) continue;
      this.encoder.configure(config);
      this.codec = name;
      return;
    }
    throw new Error("this browser can encode neither VP9 nor VP8");
  }

  async add(): Promise<void> {
    const timestamp = Math.round((1e6 * this.frames) / this.fps);
    const frame = new VideoFrame(this.canvas, { timestamp, duration: Math.round(1e6 / this.fps) });
    this.encoder.encode(frame, { keyFrame: this.frames % Math.max(1, Math.round(2 * this.fps)) === 0 });
    frame.close();
    this.frames++;
    while (this.encoder.encodeQueueSize > 4 && !this.trouble) await new Promise((resolve) => setTimeout(resolve, 5));
    if (this.trouble) throw this.trouble;
  }

  async end(): Promise<Uint8Array<ArrayBuffer>> {
    await this.encoder.flush();
    this.encoder.close();
    return webm(this.chunks, this.codec, this.canvas.width, this.canvas.height, (1000 * this.frames) / this.fps);
  }
}
