// Light, ground and camera around the bodies.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { Body } from "./body";

/** Colours of the surroundings. */
const THEMES = {
  light: { sky: "#dfe6ec", haze: "#eef1f3", floor: "#e6e9ea", light: 1 },
  dark: { sky: "#1b232c", haze: "#2b3540", floor: "#3a444e", light: 0.8 },
};
const FILLED = 0.92; // share of the free part of the picture that a body at rest may take
const SOFTWARE_SKY = 2.6; // light of the sky where no environment is reflected
const CLEARANCE = 0.004; // of the size: how far the camera stays above a floor
const STRAY = 0.7; // share of the free part of the picture within which the middle of moving bodies is kept

/** Parts of the canvas that panels cover, in CSS pixels. */
export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
export type Side = "front" | "right" | "top" | "back" | "left" | "bottom";
const SIDES: Record<Side, [number, number, number]> = {
  front: [0, -1, 0], back: [0, 1, 0], right: [1, 0, 0], left: [-1, 0, 0], top: [0, -1e-3, 1], bottom: [0, -1e-3, -1],
};

/** A disc that fades into the background, with a fine grid whose lines are a round length apart. */
function makeGround(): THREE.Mesh {
  const material = new THREE.MeshLambertMaterial({ color: THEMES.light.floor, blending: THREE.CustomBlending, blendSrcAlpha: THREE.ZeroFactor, blendDstAlpha: THREE.OneFactor, depthWrite: false });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.cell = material.userData.cell;
    shader.vertexShader = "varying vec2 vFlat;\nvarying vec2 vDisc;\n" + shader.vertexShader
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvDisc = position.xy; vFlat = (modelMatrix * vec4(position, 1.0)).xy;");
    shader.fragmentShader = "uniform float cell;\nvarying vec2 vFlat;\nvarying vec2 vDisc;\n" + shader.fragmentShader
      .replace("#include <color_fragment>", `#include <color_fragment>
        vec2 f = vFlat / cell, w = fwidth(f);
        vec2 near = abs(fract(f - 0.5) - 0.5) / max(w, vec2(1e-6));
        float line = (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.1, 0.5, max(w.x, w.y)));
        diffuseColor.rgb *= 1.0 - 0.07 * line;
        diffuseColor.a *= 1.0 - smoothstep(0.35, 1.0, length(vDisc));`);
  };
  material.userData.cell = { value: 1 };
  const ground = new THREE.Mesh(new THREE.CircleGeometry(1, 96), material);
  ground.receiveShadow = true;
  ground.renderOrder = -0.5; // under everything: what swings below it stays in sight
  return ground;
}

/** Soft sky, from haze at the horizon up. */
function makeSky(): THREE.Mesh<THREE.SphereGeometry, THREE.ShaderMaterial> {
  const material = new THREE.ShaderMaterial({
    side: THREE.BackSide, depthWrite: false, depthTest: false, toneMapped: false,
    uniforms: { sky: { value: new THREE.Color(THEMES.light.sky) }, haze: { value: new THREE.Color(THEMES.light.haze) } },
    vertexShader: "varying vec3 vDirection; void main() { vDirection = position; vec4 p = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0); gl_Position = p.xyww; }",
    fragmentShader: "uniform vec3 sky; uniform vec3 haze; varying vec3 vDirection; void main() { float up = normalize(vDirection).z; vec3 c = mix(haze, sky * 0.86, smoothstep(0.0, 0.75, abs(up))); gl_FragColor = vec4(c, 1.0);\n#include <colorspace_fragment>\n}",
  });
  const sky = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), material);
  sky.frustumCulled = false;
  sky.renderOrder = -1;
  return sky;
}

/** Whether a graphics processor draws, and not the processor in its stead. */
export function hasGraphicsProcessor(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(34, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly bodies: Body[] = [];
  readonly extras = new THREE.Group(); // springs, axes
  private readonly picking = new THREE.Scene();
  private readonly pickTarget = new THREE.WebGLRenderTarget(1, 1, {
    type: THREE.FloatType, format: THREE.RGBAFormat, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter,
  });
  private readonly sun = new THREE.DirectionalLight("#fff4e6", 2.4);
  private readonly ground = makeGround();
  private readonly sky = makeSky();
  private readonly hemisphere: THREE.HemisphereLight;
  private floor: number | null = null; // height of the scene's floor
  private groundWanted = true;
  private insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
  /** Pictures drawn so far. */
  drawn = 0;
  private readonly axes = new THREE.AxesHelper(1);
  private low = new THREE.Vector3(-1, -1, 0);
  private high = new THREE.Vector3(1, 1, 1);

  /** `fine`: with all that a graphics processor can do; otherwise what software can draw in time. */
  constructor(canvas: HTMLCanvasElement, readonly fine: boolean) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: fine, preserveDrawingBuffer: true });
    if (!this.renderer.extensions.has("EXT_color_buffer_float"))
      throw new Error("this browser's graphics cannot write float textures (EXT_color_buffer_float)");
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.92;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = fine ? THREE.PCFShadowMap : THREE.BasicShadowMap;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    if (fine) {
      const room = new THREE.PMREMGenerator(this.renderer);
      this.scene.environment = room.fromScene(new RoomEnvironment(), 0.04).texture;
      this.scene.environmentRotation.set(Math.PI / 2, 0, 0); // its up is y
      this.scene.environmentIntensity = 0.3;
    }
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(fine ? 2048 : 1024);
    this.sun.shadow.radius = 5;
    this.hemisphere = new THREE.HemisphereLight("#f4f8ff", "#d3c5b4", fine ? 0.4 : SOFTWARE_SKY);
    this.ground.visible = false;
    this.scene.add(this.sky, this.sun, this.sun.target, this.hemisphere, this.ground, this.extras, this.axes);
    this.axes.visible = false;
    this.setBox([-1, -1, 0], [1, 1, 1]);
  }

  get size(): number {
    return Math.max(1e-6, this.high.distanceTo(this.low));
  }

  /** The box around all bodies at rest: where the ground lies and the camera looks from. */
  setBox(low: [number, number, number], high: [number, number, number]): void {
    this.low.fromArray(low);
    this.high.fromArray(high);
    this.sights = [];
    const size = this.size;
    const middle = this.low.clone().add(this.high).multiplyScalar(0.5);
    this.ground.position.set(middle.x, middle.y, this.floor ?? this.low.z);
    this.ground.scale.setScalar(6 * size);
    const cell = (this.ground.material as THREE.Material).userData.cell as THREE.IUniform;
    cell.value = 10 ** Math.floor(Math.log10(0.6 * size));
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).add(new THREE.Vector3(0.55, -0.8, 1.35).multiplyScalar(1.6 * size));
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -1.1 * size;
    shadow.right = shadow.top = 1.1 * size;
    shadow.near = 0.2 * size;
    shadow.far = 6 * size;
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = (this.fine ? 0.009 : 0.008) * size;
    this.sun.shadow.bias = -0.0006;
    this.axes.position.copy(this.low);
    this.axes.scale.setScalar(0.25 * size);
    this.camera.near = 0.005 * size;
    this.camera.far = 60 * size;
    this.home();
  }

  /** Places besides the box that the camera at home sees, such as obstacles. */
  sights: THREE.Vector3[] = [];

  /** The camera where everything can be seen: from where the view is now, or across the broader side. */
  home(side?: Side): void {
    const middle = this.low.clone().add(this.high).multiplyScalar(0.5);
    // across the broader of the two horizontal sides
    const from = side ? new THREE.Vector3(...SIDES[side])
      : this.high.x - this.low.x >= this.high.y - this.low.y ? new THREE.Vector3(0.45, -1, 0.42) : new THREE.Vector3(1, -0.45, 0.42);
    from.normalize();
    const right = new THREE.Vector3(0, 0, 1).cross(from).normalize(), up = from.clone().cross(right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    let far = (side ? 0.1 : 0.45) * this.size / tall;
    const all = this.sights.map((p) => p.clone());
    for (let k = 0; k < 8; k++) // every corner of the box is in sight
      all.push(new THREE.Vector3(k & 1 ? this.low.x : this.high.x, k & 2 ? this.low.y : this.high.y, k & 4 ? this.low.z : this.high.z));
    const { broad, high } = this.free();
    for (const corner of all) {
      corner.sub(middle);
      const across = Math.max(Math.abs(corner.dot(right)) / (this.camera.aspect * broad), Math.abs(corner.dot(up)) / high);
      far = Math.max(far, corner.dot(from) + across / (FILLED * tall));
    }
    this.camera.position.copy(middle).addScaledVector(from, far);
    this.controls.target.copy(middle);
    this.controls.update();
    this.camera.updateProjectionMatrix();
    this.changed = true;
  }

  /** Camera and what it looks at, to be kept. */
  get view(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }
  set view(view: number[]) {
    this.camera.position.fromArray(view, 0);
    this.controls.target.fromArray(view, 3);
    this.controls.update();
    this.changed = true;
  }

  /** Which part of the canvas is free, as shares of its width and height. */
  private free(): { broad: number; high: number } {
    const canvas = this.renderer.domElement;
    const width = Math.max(1, canvas.clientWidth), height = Math.max(1, canvas.clientHeight);
    return {
      broad: Math.max(0.3, 1 - (this.insets.left + this.insets.right) / width),
      high: Math.max(0.3, 1 - (this.insets.top + this.insets.bottom) / height),
    };
  }

  /** Panels cover these parts: what the camera looks at moves to the middle of the rest. */
  setInsets(insets: Insets): void {
    this.insets = insets;
    this.aim();
  }
  private aim(): void {
    const canvas = this.renderer.domElement;
    const width = Math.max(1, canvas.clientWidth);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    this.camera.filmOffset = ((this.insets.right - this.insets.left) / width) * tall * this.camera.aspect * this.camera.getFilmWidth();
    this.camera.updateProjectionMatrix();
    this.changed = true;
  }

  /** Moves the view along when the middle of the bodies leaves it. */
  follow(middle: THREE.Vector3): void {
    this.camera.updateMatrixWorld();
    const p = middle.clone().project(this.camera);
    const { broad, high } = this.free();
    const shift = (this.insets.left - this.insets.right) / Math.max(1, this.renderer.domElement.clientWidth);
    const limit = (x: number, most: number) => x - Math.min(most, Math.max(-most, x));
    const over = new THREE.Vector2(limit(p.x - shift, STRAY * broad), limit(p.y, STRAY * high));
    if (p.z > 1 || (over.x === 0 && over.y === 0)) return;
    const far = middle.clone().sub(this.camera.position).dot(this.camera.getWorldDirection(new THREE.Vector3()));
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0), up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const move = right.multiplyScalar(over.x * far * tall * this.camera.aspect).addScaledVector(up, over.y * far * tall);
    this.camera.position.add(move);
    this.controls.target.add(move);
    this.sun.position.add(move);
    this.sun.target.position.add(move);
    this.changed = true;
  }

  add(body: Body): void {
    this.bodies[body.index]?.dispose();
    this.bodies[body.index] = body;
    this.scene.add(body.group);
    if (!body.info.ghost) this.picking.add(body.picking);
  }

  clear(): void {
    for (const body of this.bodies) body?.dispose();
    this.bodies.length = 0;
  }

  get floorHeight(): number | null {
    return this.floor;
  }

  /** The floor of the scene, at this height; null: it has none, and none is drawn. */
  setFloor(height: number | null): void {
    if (height === this.floor) return;
    this.floor = height;
    if (height !== null) this.ground.position.z = height;
    this.ground.visible = height !== null && this.groundWanted;
    this.changed = true;
  }

  /** Where a second copy of the scene has room. */
  beside(): THREE.Vector3 {
    const wide = this.high.x - this.low.x, deep = this.high.y - this.low.y;
    return wide >= deep ? new THREE.Vector3(0, 1.5 * deep + 0.15 * wide, 0) : new THREE.Vector3(1.5 * wide + 0.15 * deep, 0, 0);
  }

  showGround(on: boolean): void {
    this.groundWanted = on;
    this.ground.visible = on && this.floor !== null;
    this.changed = true;
  }
  setTheme(dark: boolean): void {
    const theme = THEMES[dark ? "dark" : "light"];
    (this.sky.material.uniforms.sky.value as THREE.Color).set(theme.sky);
    (this.sky.material.uniforms.haze.value as THREE.Color).set(theme.haze);
    (this.ground.material as THREE.MeshLambertMaterial).color.set(theme.floor);
    this.hemisphere.intensity = (this.fine ? 0.4 : SOFTWARE_SKY) * theme.light;
    this.changed = true;
  }
  showAxes(on: boolean): void {
    this.axes.visible = on;
    this.changed = true;
  }

  resize(): void {
    const canvas = this.renderer.domElement;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    this.renderer.setPixelRatio(this.fine ? Math.min(2, window.devicePixelRatio) : 1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.aim();
  }

  /** Something has changed that the next picture must show. */
  changed = true;

  /** Draws, if there is anything new to see. */
  draw(): void {
    this.stayAbove();
    const turned = this.controls.update();
    if (!turned && !this.changed) return;
    this.changed = false;
    this.drawn++;
    this.renderer.render(this.scene, this.camera);
  }

  /** The camera does not go below the floor. */
  private stayAbove(): void {
    const least = this.floor === null ? -Infinity : this.floor + CLEARANCE * this.size;
    if (this.controls.target.z < least) this.controls.target.z = least;
    const far = this.camera.position.distanceTo(this.controls.target);
    const down = (least - this.controls.target.z) / Math.max(far, 1e-12);
    this.controls.maxPolarAngle = down > -1 ? Math.acos(Math.min(1, Math.max(-1, down))) : Math.PI;
  }

  /** Where a place in space is on the canvas, in CSS pixels. */
  project(place: ArrayLike<number>): [number, number] {
    const canvas = this.renderer.domElement;
    this.camera.updateMatrixWorld();
    const p = new THREE.Vector3(place[0], place[1], place[2]).project(this.camera);
    return [((p.x + 1) / 2) * canvas.clientWidth, ((1 - p.y) / 2) * canvas.clientHeight];
  }

  /** What is under a place of the canvas (in CSS pixels), if anything. */
  pick(x: number, y: number): { body: number; point: number } | null {
    const canvas = this.renderer.domElement;
    this.camera.setViewOffset(canvas.clientWidth, canvas.clientHeight, Math.floor(x), Math.floor(y), 1, 1);
    this.renderer.setRenderTarget(this.pickTarget);
    const colour = this.renderer.getClearColor(new THREE.Color()), alpha = this.renderer.getClearAlpha();
    this.renderer.setClearColor(0, 0);
    this.renderer.clear();
    this.renderer.render(this.picking, this.camera);
    this.renderer.setClearColor(colour, alpha);
    this.renderer.setRenderTarget(null);
    this.camera.clearViewOffset();
    const texel = new Float32Array(4);
    this.renderer.readRenderTargetPixels(this.pickTarget, 0, 0, 1, 1, texel);
    return texel[0] >= 1 ? { body: Math.round(texel[0]) - 1, point: Math.round(texel[1]) } : null;
  }
}
