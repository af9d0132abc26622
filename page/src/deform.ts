// Places of all points of a body, on the graphics processor [BarbicJames2005 §6.4]:
//
//     site  = p + s Q (x + U q)               a fragment a site, from the tables that came once
//     point = keep · site + Σ weight · site   a second pass, where domains meet
//
// The result is a texture of places, one texel a point. Everything that draws, casts shadows, picks or reads
// back looks only at it, so it does not matter which model the points come from: one without tables sends them
// as they are.
import * as THREE from "three";
import type { BodyState, Geometry } from "./protocol";
import { FETCH, floats1, floats4, halves4, padded, rowsFor, target4, uints2, uints4, WIDTH } from "./textures";

const CORNERS = `
in vec3 position;
void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }
`;

const SITES = `
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform usampler2D sites;   // rest entry, first shape entry, part, -
uniform usampler2D parts;   // first coordinate, rank
uniform sampler2D rest;
uniform sampler2D shapes;
uniform sampler2D poses;    // position and scale, quaternion
uniform sampler2D q;
uniform int count;
out vec4 result;
${FETCH}
void main() {
  int i = int(gl_FragCoord.x) + ${WIDTH} * int(gl_FragCoord.y);
  if (i >= count) { result = vec4(0.0); return; }
  uvec4 site = texelFetch(sites, place(i), 0);
  uvec4 part = texelFetch(parts, place(int(site.z)), 0);
  vec3 y = texelFetch(rest, place(int(site.x)), 0).xyz;
  int shape = int(site.y), first = int(part.x), rank = int(part.y);
  for (int k = 0; k < rank; ++k)
    y += texelFetch(shapes, place(shape + k), 0).xyz * texelFetch(q, place(first + k), 0).x;
  vec4 p = texelFetch(poses, place(2 * int(site.z)), 0);
  vec4 turn = texelFetch(poses, place(2 * int(site.z) + 1), 0);
  vec3 t = 2.0 * cross(turn.xyz, y);
  result = vec4(p.xyz + p.w * (y + turn.w * t + cross(turn.xyz, t)), 1.0);
}
`;

const BLEND = `
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform sampler2D sites;
uniform usampler2D blends;  // first share, shares, keep as bits
uniform usampler2D shares;  // site, weight as bits
uniform int count;
out vec4 result;
${FETCH}
void main() {
  int i = int(gl_FragCoord.x) + ${WIDTH} * int(gl_FragCoord.y);
  if (i >= count) { result = vec4(0.0); return; }
  uvec4 blend = texelFetch(blends, place(i), 0);
  vec3 x = texelFetch(sites, place(i), 0).xyz * uintBitsToFloat(blend.z);
  for (uint k = 0u; k < blend.y; ++k) {
    uvec4 share = texelFetch(shares, place(int(blend.x + k)), 0);
    x += uintBitsToFloat(share.y) * texelFetch(sites, place(int(share.x)), 0).xyz;
  }
  result = vec4(x, 1.0);
}
`;

/** One triangle that covers a target. */
const screen = new THREE.BufferGeometry().setAttribute(
  "position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
const camera = new THREE.Camera();

/** Computes a target from textures. */
export class Pass {
  private readonly mesh: THREE.Mesh;
  private readonly scene = new THREE.Scene();

  constructor(fragment: string, uniforms: Record<string, THREE.IUniform>, readonly target: THREE.WebGLRenderTarget) {
    const material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: CORNERS, fragmentShader: fragment, uniforms, depthTest: false,
      depthWrite: false, blending: THREE.NoBlending,
    });
    this.mesh = new THREE.Mesh(screen, material);
    this.mesh.frustumCulled = false;
    this.scene.add(this.mesh);
  }
  run(renderer: THREE.WebGLRenderer): void {
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(this.target);
    renderer.render(this.scene, camera);
    renderer.setRenderTarget(before);
  }
  dispose(): void {
    this.target.dispose();
    (this.mesh.material as THREE.Material).dispose();
  }
}

const bits = new DataView(new ArrayBuffer(4));
function floatBits(x: number): number {
  bits.setFloat32(0, x);
  return bits.getUint32(0);
}

export class Deformation {
  readonly count: number;
  private readonly textures: THREE.Texture[] = [];
  private readonly passes: Pass[] = [];
  private readonly poses: THREE.DataTexture | null = null;
  private readonly q: THREE.DataTexture | null = null;
  private readonly streamed: THREE.DataTexture | null = null;
  private readonly scales: Float32Array;
  private readonly coordinates: number = 0;

  constructor(geometry: Geometry) {
    this.count = geometry.rest.length / 3;
    this.scales = geometry.part_scales;
    if (geometry.part_tables.length === 0) {
      this.streamed = this.keep(floats4(this.count));
      padded(geometry.rest, this.streamed.image.data as unknown as Float32Array);
      return;
    }
    const { rest, shapes, restAt, shapeAt } = this.tables(geometry);
    const sites = geometry.site_parts.length;
    const siteData = new Uint32Array(4 * WIDTH * rowsFor(sites));
    for (let i = 0; i < sites; i++) {
      const part = geometry.site_parts[i];
      const table = geometry.part_tables[part];
      const row = geometry.site_rows[i];
      siteData[4 * i] = restAt[table] + row;
      siteData[4 * i + 1] = shapeAt[table] + row * geometry.tables[table].rank;
      siteData[4 * i + 2] = part;
    }
    const parts = geometry.part_tables.length;
    const partData = new Uint32Array(4 * WIDTH * rowsFor(parts));
    let first = 0;
    for (let d = 0; d < parts; d++) {
      partData[4 * d] = first;
      partData[4 * d + 1] = geometry.tables[geometry.part_tables[d]].rank;
      first += partData[4 * d + 1];
    }
    this.coordinates = first;
    this.poses = this.keep(floats4(2 * parts));
    this.q = this.keep(floats1(first));
    this.passes.push(new Pass(SITES, {
      sites: { value: this.keep(uints4(sites, siteData)) }, parts: { value: this.keep(uints4(parts, partData)) },
      rest: { value: rest }, shapes: { value: shapes }, poses: { value: this.poses }, q: { value: this.q },
      count: { value: sites },
    }, target4(sites)));
    if (geometry.blended.length > 0) this.addBlend(geometry);
  }

  /** One texel a point: x, y, z. */
  get places(): THREE.Texture {
    return this.streamed ?? this.passes[this.passes.length - 1].target.texture;
  }

  /** Takes a state and computes the places. */
  update(renderer: THREE.WebGLRenderer, state: BodyState): void {
    if (this.streamed) {
      if (state.positions.length !== 3 * this.count) return;
      padded(state.positions, this.streamed.image.data as unknown as Float32Array);
      this.streamed.needsUpdate = true;
      return;
    }
    const parts = this.scales.length;
    if (state.poses.length !== 7 * parts || state.coordinates.length !== this.coordinates) return;
    const poses = this.poses!.image.data as unknown as Float32Array;
    for (let d = 0; d < parts; d++) {
      for (let c = 0; c < 3; c++) poses[8 * d + c] = state.poses[7 * d + c];
      poses[8 * d + 3] = this.scales[d];
      for (let c = 0; c < 4; c++) poses[8 * d + 4 + c] = state.poses[7 * d + 3 + c];
    }
    (this.q!.image.data as unknown as Float32Array).set(state.coordinates);
    this.poses!.needsUpdate = true;
    this.q!.needsUpdate = true;
    for (const pass of this.passes) pass.run(renderer);
  }

  /** Places read back from the graphics processor: of all points, or of one. */
  read(renderer: THREE.WebGLRenderer, point?: number): Float32Array {
    const first = point ?? 0;
    const count = point === undefined ? this.count : 1;
    const texels = new Float32Array(4 * (point === undefined ? WIDTH * rowsFor(this.count) : 1));
    if (this.streamed) {
      texels.set((this.streamed.image.data as unknown as Float32Array).subarray(4 * first, 4 * (first + count)));
    } else {
      const target = this.passes[this.passes.length - 1].target;
      if (point === undefined)
        renderer.readRenderTargetPixels(target, 0, 0, WIDTH, rowsFor(this.count), texels);
      else
        renderer.readRenderTargetPixels(target, first % WIDTH, Math.floor(first / WIDTH), 1, 1, texels);
    }
    const places = new Float32Array(3 * count);
    for (let i = 0; i < count; i++)
      for (let c = 0; c < 3; c++) places[3 * i + c] = texels[4 * i + c];
    return places;
  }

  dispose(): void {
    for (const texture of this.textures) texture.dispose();
    for (const pass of this.passes) pass.dispose();
  }

  private keep<T extends THREE.Texture>(texture: T): T {
    this.textures.push(texture);
    return texture;
  }

  /** All tables one after the other, in one texture each. */
  private tables(geometry: Geometry) {
    const restAt: number[] = [], shapeAt: number[] = [];
    let rows = 0, columns = 0;
    for (const table of geometry.tables) {
      restAt.push(rows);
      shapeAt.push(columns);
      rows += table.rest.length / 3;
      columns += (table.rest.length / 3) * table.rank;
    }
    const rest = new Float32Array(4 * WIDTH * rowsFor(rows));
    const size = 4 * WIDTH * rowsFor(columns);
    const half = geometry.half !== 0;
    const wide = half ? null : new Float32Array(size);
    const narrow = half ? new Uint16Array(size) : null;
    geometry.tables.forEach((table, t) => {
      padded(table.rest, rest, restAt[t]);
      if (narrow) padded(table.halves, narrow, shapeAt[t]);
      if (wide) padded(table.shapes, wide, shapeAt[t]);
    });
    return {
      rest: this.keep(floats4(rows, rest)),
      shapes: this.keep(narrow ? halves4(columns, narrow) : floats4(columns, wide!)),
      restAt, shapeAt,
    };
  }

  private addBlend(geometry: Geometry): void {
    const one = floatBits(1);
    const blends = new Uint32Array(4 * WIDTH * rowsFor(this.count));
    for (let i = 0; i < this.count; i++) blends[4 * i + 2] = one;
    geometry.blended.forEach((point, i) => {
      blends[4 * point] = geometry.blend_starts[i];
      blends[4 * point + 1] = geometry.blend_starts[i + 1] - geometry.blend_starts[i];
      blends[4 * point + 2] = floatBits(geometry.blend_keep[i]);
    });
    const entries = geometry.blend_sites.length;
    const shares = new Uint32Array(2 * WIDTH * rowsFor(entries));
    for (let e = 0; e < entries; e++) {
      shares[2 * e] = geometry.blend_sites[e];
      shares[2 * e + 1] = floatBits(geometry.blend_weights[e]);
    }
    this.passes.push(new Pass(BLEND, {
      sites: { value: this.passes[0].target.texture },
      blends: { value: this.keep(uints4(this.count, blends)) },
      shares: { value: this.keep(uints2(entries, shares)) }, count: { value: this.count },
    }, target4(this.count)));
  }
}
