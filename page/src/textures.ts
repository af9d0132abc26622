// Long lists of numbers as textures: entry i is the texel (i mod WIDTH, i div WIDTH).
import * as THREE from "three";

export const WIDTH = 2048;

export const rowsFor = (count: number): number => Math.max(1, Math.ceil(count / WIDTH));

/** Fetches entry i of a list in a shader. */
export const FETCH = `
ivec2 place(int i) { return ivec2(i % ${WIDTH}, i / ${WIDTH}); }
`;

function texture(data: ArrayBufferView, count: number, format: THREE.PixelFormat, type: THREE.TextureDataType,
                 internal: THREE.PixelFormatGPU): THREE.DataTexture {
  const made = new THREE.DataTexture(data as never, WIDTH, rowsFor(count), format, type);
  made.internalFormat = internal;
  made.unpackAlignment = 1;
  made.needsUpdate = true;
  return made;
}

/** Four floats an entry. */
export function floats4(count: number, data = new Float32Array(4 * WIDTH * rowsFor(count))): THREE.DataTexture {
  return texture(data, count, THREE.RGBAFormat, THREE.FloatType, "RGBA32F");
}
/** Four half floats an entry. */
export function halves4(count: number, data = new Uint16Array(4 * WIDTH * rowsFor(count))): THREE.DataTexture {
  return texture(data, count, THREE.RGBAFormat, THREE.HalfFloatType, "RGBA16F");
}
/** One float an entry. */
export function floats1(count: number): THREE.DataTexture {
  return texture(new Float32Array(WIDTH * rowsFor(count)), count, THREE.RedFormat, THREE.FloatType, "R32F");
}
/** Four unsigned numbers an entry. */
export function uints4(count: number, data = new Uint32Array(4 * WIDTH * rowsFor(count))): THREE.DataTexture {
  return texture(data, count, THREE.RGBAIntegerFormat, THREE.UnsignedIntType, "RGBA32UI");
}
/** Two unsigned numbers an entry. */
export function uints2(count: number, data = new Uint32Array(2 * WIDTH * rowsFor(count))): THREE.DataTexture {
  return texture(data, count, THREE.RGIntegerFormat, THREE.UnsignedIntType, "RG32UI");
}
/** A colour an entry. */
export function colours(count: number): THREE.DataTexture {
  return texture(new Uint8Array(4 * WIDTH * rowsFor(count)), count, THREE.RGBAFormat, THREE.UnsignedByteType, "RGBA8");
}

/** Threes of numbers, padded to fours for a texture. */
export function padded<T extends Float32Array | Uint16Array>(threes: T, into: T, first = 0): T {
  const count = threes.length / 3;
  for (let i = 0; i < count; i++) {
    into[4 * (first + i)] = threes[3 * i];
    into[4 * (first + i) + 1] = threes[3 * i + 1];
    into[4 * (first + i) + 2] = threes[3 * i + 2];
  }
  return into;
}

/** A target of four floats an entry, that shaders write and others read. */
export function target4(count: number): THREE.WebGLRenderTarget {
  return new THREE.WebGLRenderTarget(WIDTH, rowsFor(count), {
    format: THREE.RGBAFormat,
    type: THREE.FloatType,
    minFilter: THREE.NearestFilter,
    magFilter: THREE.NearestFilter,
    depthBuffer: false,
    stencilBuffer: false,
    generateMipmaps: false,
  });
}
