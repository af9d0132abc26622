// A body as it is drawn: triangles whose corners ask the texture of places where they are, and the ring of
// points around them which way they face. Copies of a patch are instances of one geometry.
import * as THREE from "three";
import { Deformation } from "./deform";
import type { BodyInfo, BodyState, Geometry, Patch } from "./protocol";
import { colours, FETCH, uints2, WIDTH } from "./textures";

export type Look = "surface" | "wireframe" | "domains" | "displacement" | "stress";

const CREASE = Math.cos((40 * Math.PI) / 180);
const OFTEN = "#86a848";
const GHOST_COLOUR = "#3f6fd0";
const NO_DOMAIN = "#d9804a";
const BODY_COLOURS = ["#d9774a", "#3f97b8", "#86a848", "#b97fc0", "#d6a93c", "#5f86d6", "#cf5f66", "#4dab93"];
const CHOSEN_BY_PAGE = 0xffffffff;
const ROUGHNESS = 0.5; // where the scene names none
/** The golden angle keeps neighbours in the list far apart on the wheel. */
export function domainColour(d: number): THREE.Color {
  return new THREE.Color().setHSL((0.08 + 0.381966 * d) % 1, 0.55, 0.45 + 0.06 * Math.sin(2.4 * d));
}

const HEAD = `
${FETCH}
precision highp sampler2D;
precision highp usampler2D;
attribute float corner;
attribute vec2 ring;
attribute float base;
uniform sampler2D places;
uniform usampler2D rings;
uniform sampler2D tints;
varying vec4 vTint;
int pointOf(float c) { return int(c + 0.5); }
vec3 placeOf(int i) { return texelFetch(places, place(i), 0).xyz; }
vec3 facing(vec3 here, int first) {
  vec3 n = vec3(0.0);
  int begin = int(ring.x + 0.5), end = begin + int(ring.y + 0.5);
  for (int e = begin; e < end; ++e) {
    uvec2 edge = texelFetch(rings, place(e), 0).xy;
    n += cross(placeOf(first + int(edge.x)) - here, placeOf(first + int(edge.y)) - here);
  }
  float size = length(n);
  return size > 0.0 ? n / size : vec3(0.0, 0.0, 1.0);
}
`;

interface Corners {
  corner: Float32Array; // point of each drawn vertex
  ring: Float32Array; // first edge and number of edges
  edges: Uint32Array; // pairs of points
  index: Uint32Array;
}

/** Splits points where the rest surface has a crease, and lists the edges opposite to each drawn vertex. */
function split(patch: Patch, rest: Float32Array, base: number): Corners {
  const triangles = patch.triangles.length / 3;
  const normals = new Float32Array(3 * triangles);
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
  const at = (v: THREE.Vector3, p: number) => v.fromArray(rest, 3 * (base + p));
  const starts = new Uint32Array(patch.points + 1);
  for (let t = 0; t < triangles; t++) {
    at(a, patch.triangles[3 * t]);
    at(b, patch.triangles[3 * t + 1]).sub(a);
    at(c, patch.triangles[3 * t + 2]).sub(a);
    b.cross(c).normalize().toArray(normals, 3 * t);
    for (let k = 0; k < 3; k++) starts[patch.triangles[3 * t + k] + 1]++;
  }
  for (let p = 0; p < patch.points; p++) starts[p + 1] += starts[p];
  const around = new Uint32Array(3 * triangles); // 3 t + k: corners of each point
  const filled = starts.slice();
  for (let i = 0; i < 3 * triangles; i++) around[filled[patch.triangles[i]]++] = i;

  const corner: number[] = [], ring: number[] = [];
  const edges = new Uint32Array(6 * triangles);
  const index = new Uint32Array(3 * triangles);
  let used = 0;
  const group: number[] = [];
  for (let p = 0; p < patch.points; p++) {
    const count = starts[p + 1] - starts[p];
    group.length = 0;
    for (let i = 0; i < count; i++) group.push(i);
    const find = (i: number): number => (group[i] === i ? i : (group[i] = find(group[i])));
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j++) {
        const ti = Math.floor(around[starts[p] + i] / 3), tj = Math.floor(around[starts[p] + j] / 3);
        const dot = normals[3 * ti] * normals[3 * tj] + normals[3 * ti + 1] * normals[3 * tj + 1] +
          normals[3 * ti + 2] * normals[3 * tj + 2];
        if (dot < CREASE) continue;
        let shared = 0; // besides p
        for (let k = 0; k < 3; k++)
          for (let l = 0; l < 3; l++)
            if (patch.triangles[3 * ti + k] !== p && patch.triangles[3 * ti + k] === patch.triangles[3 * tj + l]) shared++;
        if (shared > 0) group[find(i)] = find(j);
      }
    for (let i = 0; i < count; i++) {
      if (find(i) !== i) continue;
      const vertex = corner.length;
      const first = used;
      for (let j = 0; j < count; j++) {
        if (find(j) !== i) continue;
        const place = around[starts[p] + j];
        const t = Math.floor(place / 3), k = place % 3;
        edges[2 * used] = patch.triangles[3 * t + ((k + 1) % 3)];
        edges[2 * used + 1] = patch.triangles[3 * t + ((k + 2) % 3)];
        used++;
        index[place] = vertex;
      }
      corner.push(p);
      ring.push(first, used - first);
    }
  }
  return { corner: new Float32Array(corner), ring: new Float32Array(ring), edges, index };
}

export class Body {
  readonly group = new THREE.Group();
  readonly picking = new THREE.Group();
  readonly deformation: Deformation;
  private readonly tints: THREE.DataTexture;
  private readonly materials: (THREE.MeshStandardMaterial | THREE.MeshLambertMaterial)[] = [];
  private readonly disposables: { dispose(): void }[] = [];
  private readonly uniforms: { places: THREE.IUniform; tints: THREE.IUniform };

  constructor(readonly index: number, readonly info: BodyInfo, readonly geometry: Geometry, private readonly fine: boolean) {
    this.deformation = new Deformation(geometry);
    this.tints = colours(this.deformation.count);
    this.uniforms = { places: { value: this.deformation.places }, tints: { value: this.tints } };
    this.disposables.push(this.deformation, this.tints);
    for (const patch of geometry.patches) this.addPatch(patch);
    this.setLook("surface");
    if (info.ghost) this.setSolid(false);
  }

  update(renderer: THREE.WebGLRenderer, state: BodyState): void {
    this.deformation.update(renderer, state);
  }

  setLook(look: Look): void {
    for (const material of this.materials) material.wireframe = look === "wireframe";
    const data = this.tints.image.data as unknown as Uint8Array;
    const domains = this.geometry.point_domains;
    const plain = new THREE.Color(this.info.ghost ? GHOST_COLOUR : (BODY_COLOURS[this.index % BODY_COLOURS.length] ?? NO_DOMAIN));
    const palette = this.info.domains.map((_, d) => domainColour(d));
    const many = this.manyCopies();
    const other = new THREE.Color(OFTEN);
    const { looks } = this.info, { point_looks } = this.geometry;
    const colours = looks.map(({ color }) => (color === CHOSEN_BY_PAGE || this.info.ghost ? plain : new THREE.Color(color)));
    const rough = looks.map(({ roughness }) => Math.round(255 * (roughness < 0 ? ROUGHNESS : roughness)));
    for (let i = 0; i < this.deformation.count; i++) {
      const number = point_looks.length > 0 ? point_looks[i] : 0;
      const own = colours[number] ?? (many[i] ? other : plain);
      const colour = look === "domains" && domains.length > 0 ? (palette[domains[i]] ?? plain) : own;
      data[4 * i] = 255 * Math.sqrt(colour.r);
      data[4 * i + 1] = 255 * Math.sqrt(colour.g);
      data[4 * i + 2] = 255 * Math.sqrt(colour.b);
      data[4 * i + 3] = rough[number] ?? Math.round(255 * ROUGHNESS);
    }
    this.tints.needsUpdate = true;
  }

  /** Points of parts that the body has many of, as leaves are: these have a colour of their own. */
  private manyCopies(): Uint8Array {
    const many = new Uint8Array(this.deformation.count);
    if (this.info.ghost || this.geometry.patches.length < 2) return many;
    for (const patch of this.geometry.patches)
      if (patch.bases.length >= 8) for (const base of patch.bases) many.fill(1, base, base + patch.points);
    return many;
  }

  /** Colours by 16-bit values: `share` of the ramp (256 tints) is for the largest. */
  paint(values: Uint16Array, share: number, ramp: Uint8Array): void {
    const data = this.tints.image.data as unknown as Uint8Array;
    const scale = (255 * share) / 65535;
    for (let i = 0; i < this.deformation.count; i++) {
      const at = 3 * Math.min(255, Math.round(scale * values[i]));
      for (let c = 0; c < 3; c++) data[4 * i + c] = ramp[at + c];
    }
    this.tints.needsUpdate = true;
  }

  /** The body that the mouse would take hold of. */
  highlight(on: boolean): void {
    for (const material of this.materials) material.emissive.set(on ? "#2a2118" : "#000000");
  }

  /** Draws points at other places; null: where the simulation has them. */
  usePlaces(places: THREE.Texture | null): void {
    this.uniforms.places.value = places ?? this.deformation.places;
  }

  /** As a body among bodies, or to look through. */
  setSolid(solid: boolean): void {
    for (const material of this.materials) {
      material.transparent = !solid;
      material.opacity = solid ? 1 : 0.42;
      material.polygonOffset = !solid; // where both are the body wins
      material.polygonOffsetFactor = material.polygonOffsetUnits = 1;
      material.needsUpdate = true;
    }
    for (const mesh of this.group.children) mesh.castShadow = mesh.receiveShadow = solid && mesh instanceof THREE.Mesh;
  }

  dispose(): void {
    for (const one of this.disposables) one.dispose();
    this.group.removeFromParent();
    this.picking.removeFromParent();
  }

  private addPatch(patch: Patch): void {
    const made = split(patch, this.geometry.rest, patch.bases[0]);
    const shape = new THREE.InstancedBufferGeometry();
    shape.setIndex(new THREE.BufferAttribute(made.index, 1));
    // three.js wants positions; the shader has better ones
    const rest = new Float32Array(3 * made.corner.length);
    made.corner.forEach((p, i) => {
      for (let c = 0; c < 3; c++) rest[3 * i + c] = this.geometry.rest[3 * (patch.bases[0] + p) + c];
    });
    shape.setAttribute("position", new THREE.BufferAttribute(rest, 3));
    shape.setAttribute("corner", new THREE.BufferAttribute(made.corner, 1));
    shape.setAttribute("ring", new THREE.BufferAttribute(made.ring, 2));
    shape.setAttribute("base", new THREE.InstancedBufferAttribute(new Float32Array(patch.bases), 1));
    shape.instanceCount = patch.bases.length;
    const edges = made.edges.length / 2;
    const padded = new Uint32Array(2 * WIDTH * Math.max(1, Math.ceil(edges / WIDTH)));
    padded.set(made.edges);
    const rings = uints2(edges, padded);
    const uniforms = { ...this.uniforms, rings: { value: rings } };

    const material = this.fine
      ? new THREE.MeshStandardMaterial({ roughness: ROUGHNESS, metalness: 0, side: THREE.DoubleSide })
      : new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = HEAD + shader.vertexShader
        .replace("#include <beginnormal_vertex>", `
          int first = pointOf(base), mine = first + pointOf(corner);
          vec3 here = placeOf(mine);
          vTint = texelFetch(tints, place(mine), 0);
          vTint.rgb *= vTint.rgb;
          vec3 objectNormal = facing(here, first);`)
        .replace("#include <begin_vertex>", "vec3 transformed = here;");
      shader.fragmentShader = "varying vec4 vTint;\n" + shader.fragmentShader
        .replace("#include <color_fragment>", "diffuseColor.rgb *= vTint.rgb;")
        .replace("#include <roughnessmap_fragment>", "float roughnessFactor = clamp(vTint.a, 0.05, 1.0);");
    };
    material.customProgramCacheKey = () => "pliant-body";
    const depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking, side: THREE.DoubleSide });
    depth.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = HEAD + shader.vertexShader
        .replace("#include <begin_vertex>", "vTint = vec4(0.0); vec3 transformed = placeOf(pointOf(base) + pointOf(corner));");
    };
    depth.customProgramCacheKey = () => "pliant-depth";
    const mesh = new THREE.Mesh(shape, material);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.customDepthMaterial = depth;
    this.group.add(mesh);

    if (patch.edges.length > 0) this.addEdges(patch, material);

    const pick = new THREE.Mesh(shape, this.pickMaterial(uniforms));
    pick.frustumCulled = false;
    this.picking.add(pick);
    this.materials.push(material);
    this.disposables.push(shape, material, depth, rings, pick.material as THREE.Material);
  }

  /** The edges of elements, just in front of their faces. */
  private addEdges(patch: Patch, faces: THREE.Material): void {
    faces.polygonOffset = true;
    faces.polygonOffsetFactor = faces.polygonOffsetUnits = 1;
    const shape = new THREE.BufferGeometry();
    shape.setIndex(new THREE.BufferAttribute(patch.edges, 1));
    shape.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * patch.points), 3)); // three.js wants some
    shape.setAttribute("corner", new THREE.BufferAttribute(Float32Array.from({ length: patch.points }, (_, i) => patch.bases[0] + i), 1));
    const material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, transparent: true, uniforms: this.uniforms,
      vertexShader: `
        precision highp sampler2D;
        in float corner;
        uniform sampler2D places;
        ${FETCH}
        void main() {
          gl_Position = projectionMatrix * modelViewMatrix * vec4(texelFetch(places, place(int(corner + 0.5)), 0).xyz, 1.0);
        }`,
      fragmentShader: `
        out vec4 result;
        void main() { result = vec4(0.12, 0.1, 0.09, 0.5); }`,
    });
    const lines = new THREE.LineSegments(shape, material);
    lines.frustumCulled = false;
    this.group.add(lines);
    this.disposables.push(shape, material);
  }

  /** Writes body and point instead of a colour. */
  private pickMaterial(uniforms: Record<string, THREE.IUniform>): THREE.Material {
    return new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, side: THREE.DoubleSide, blending: THREE.NoBlending,
      uniforms: { ...uniforms, body: { value: this.index + 1 } },
      vertexShader: `
        precision highp sampler2D;
        in float corner;
        in float base;
        uniform sampler2D places;
        flat out float vPoint;
        ${FETCH}
        void main() {
          int mine = int(base + 0.5) + int(corner + 0.5);
          vPoint = float(mine);
          gl_Position = projectionMatrix * viewMatrix * vec4(texelFetch(places, place(mine), 0).xyz, 1.0);
        }`,
      fragmentShader: `
        uniform float body;
        flat in float vPoint;
        out vec4 result;
        void main() { result = vec4(body, vPoint, 0.0, 1.0); }`,
    });
  }
}
