// Moving WebP pictures: every frame is a still that the browser encodes; here they are put into one file (RIFF container,
// RFC 9649: VP8X, ANIM, and an ANMF for each frame).

const ANIMATION = 0x02; // flag of VP8X
const NO_BLENDING = 0x02; // flag of ANMF: frames are whole pictures

function put24(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value & 255;
  bytes[at + 1] = (value >> 8) & 255;
  bytes[at + 2] = (value >> 16) & 255;
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const made = new Uint8Array(8 + content.length + (content.length & 1));
  for (let i = 0; i < 4; i++) made[i] = name.charCodeAt(i);
  new DataView(made.buffer).setUint32(4, content.length, true);
  made.set(content, 8);
  return made;
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/** The chunks of a still that hold its picture. */
function imageOf(still: Uint8Array): Uint8Array {
  const view = new DataView(still.buffer, still.byteOffset, still.length);
  const parts: Uint8Array[] = [];
  for (let at = 12; at + 8 <= still.length;) {
    const name = String.fromCharCode(...still.subarray(at, at + 4));
    const size = 8 + view.getUint32(at + 4, true), whole = size + (size & 1);
    if (name === "VP8 " || name === "VP8L" || name === "ALPH") parts.push(still.subarray(at, at + whole));
    at += whole;
  }
  if (parts.length === 0) throw new Error("this browser cannot encode WebP");
  return joined(parts);
}

/** One file of stills, each shown for so many milliseconds, again and again. */
export function movingWebp(stills: Uint8Array[], width: number, height: number, milliseconds: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(10);
  head[0] = ANIMATION;
  put24(head, 4, width - 1);
  put24(head, 7, height - 1);
  const frames = stills.map((still) => {
    const frame = new Uint8Array(16);
    put24(frame, 6, width - 1);
    put24(frame, 9, height - 1);
    put24(frame, 12, Math.round(milliseconds));
    frame[15] = NO_BLENDING;
    return chunk("ANMF", joined([frame, imageOf(still)]));
  });
  const content = joined([new TextEncoder().encode("WEBP"), chunk("VP8X", head), chunk("ANIM", new Uint8Array(6)), ...frames]);
  return joined([chunk("RIFF", content)]);
}

/** Takes frames of a canvas, as FilmEncoder does. */
export class WebpEncoder {
  private readonly stills: Uint8Array[] = [];

  constructor(private readonly canvas: HTMLCanvasElement, private readonly fps: number, private readonly quality = 0.72) {}

  async start(): Promise<void> {}

  async add(): Promise<void> {
    const blob = await new Promise<Blob | null>((resolve) => this.canvas.toBlob(resolve, "image/webp", this.quality));
    if (!blob) throw new Error("this browser cannot encode WebP");
    this.stills.push(new Uint8Array(await blob.arrayBuffer()));
  }

  async end(): Promise<Uint8Array<ArrayBuffer>> {
    return movingWebp(this.stills, this.canvas.width, this.canvas.height, 1000 / this.fps);
  }
}
