// The bytes of a frame: what src/pliant/draw/wire.hpp is on the other side.

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Takes a frame apart; lists of numbers are looked at in place. */
export class Reader {
  readonly kind: number;
  private readonly view: DataView;
  private at = 4;

  constructor(private readonly frame: ArrayBuffer, version: number) {
    this.view = new DataView(frame);
    if (frame.byteLength < 4 || this.view.getUint8(1) !== version) throw new Error("a frame of another version");
    this.kind = this.view.getUint8(0);
  }

  u8(): number {
    return this.view.getUint8(this.skip(1));
  }
  u16(): number {
    return this.view.getUint16(this.skip(2), true);
  }
  u32(): number {
    return this.view.getUint32(this.skip(4), true);
  }
  f32(): number {
    return this.view.getFloat32(this.skip(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.skip(8), true);
  }
  vec3(): [number, number, number] {
    return [this.f32(), this.f32(), this.f32()];
  }
  string(): string {
    const count = this.u32();
    return decoder.decode(new Uint8Array(this.frame, this.skip(count), count));
  }
  u16s(): Uint16Array {
    const count = this.numbers();
    return new Uint16Array(this.frame, this.skip(2 * count), count);
  }
  u32s(): Uint32Array {
    const count = this.numbers();
    return new Uint32Array(this.frame, this.skip(4 * count), count);
  }
  f32s(): Float32Array {
    const count = this.numbers();
    return new Float32Array(this.frame, this.skip(4 * count), count);
  }
  list<T>(read: (r: Reader) => T): T[] {
    const count = this.u32();
    return Array.from({ length: count }, () => read(this));
  }

  /** The count of a list of numbers, which begins at a multiple of 4. */
  private numbers(): number {
    const count = this.u32();
    this.at = (this.at + 3) & ~3;
    return count;
  }
  private skip(bytes: number): number {
    const here = this.at;
    this.at += bytes;
    return here;
  }
}

/** Builds a frame that the page sends. */
export class Writer {
  private view = new DataView(new ArrayBuffer(128));
  private at = 4;

  constructor(kind: number, version: number) {
    this.view.setUint8(0, kind);
    this.view.setUint8(1, version);
  }
  u8(x: number): void {
    this.put(1, (view, at) => view.setUint8(at, x));
  }
  u32(x: number): void {
    this.put(4, (view, at) => view.setUint32(at, x, true));
  }
  f64(x: number): void {
    this.put(8, (view, at) => view.setFloat64(at, x, true));
  }
  vec3(x: [number, number, number]): void {
    for (const c of x) this.put(4, (view, at) => view.setFloat32(at, c, true));
  }
  string(x: string): void {
    const bytes = encoder.encode(x);
    this.u32(bytes.length);
    const at = this.skip(bytes.length);
    new Uint8Array(this.view.buffer).set(bytes, at);
  }
  u32s(x: Uint32Array): void {
    this.numbers(x.length);
    for (const one of x) this.put(4, (view, at) => view.setUint32(at, one, true));
  }
  f32s(x: Float32Array): void {
    this.numbers(x.length);
    for (const one of x) this.put(4, (view, at) => view.setFloat32(at, one, true));
  }
  bytes(): ArrayBuffer {
    return this.view.buffer.slice(0, this.at) as ArrayBuffer;
  }
  /** The count of a list of numbers, which begins at a multiple of 4. */
  private numbers(count: number): void {
    this.u32(count);
    this.skip(((this.at + 3) & ~3) - this.at);
  }
  /** Room first: making it may replace the view. */
  private put(bytes: number, write: (view: DataView, at: number) => void): void {
    const at = this.skip(bytes);
    write(this.view, at);
  }
  private skip(bytes: number): number {
    const here = this.at;
    this.at += bytes;
    if (this.at > this.view.byteLength) {
      const wider = new Uint8Array(2 * this.at);
      wider.set(new Uint8Array(this.view.buffer));
      this.view = new DataView(wider.buffer);
    }
    return here;
  }
}
