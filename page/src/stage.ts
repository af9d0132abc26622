// Light, ground and camera around the bodies.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { Body } from "./body";

const SKY = new THREE.Color("#dfe6ec");
const HAZE = new THREE.Color("#eef1f3");
const FILLED = 0.92; // share of the picture that a body at rest may take

/** A disc that fades into the background, with a fine grid whose lines are a round length apart. */
function makeGround(): THREE.Mesh {
  const material = new THREE.MeshLambertMaterial({ color: "#e6e9ea", blending: THREE.CustomBlending, blendSrcAlpha: THREE.ZeroFactor, blendDstAlpha: THREE.OneFactor, depthWrite: false });
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
function makeSky(): THREE.Mesh {
  const material = new THREE.ShaderMaterial({
    side: THREE.BackSide, depthWrite: false, depthTest: false, toneMapped: false,
    uniforms: { sky: { value: SKY }, haze: { value: HAZE } },
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
    this.scene.add(makeSky(), this.sun, this.sun.target, new THREE.HemisphereLight("#f4f8ff", "#c9b8a4", fine ? 0.4 : 1.7),
      this.ground, this.extras, this.axes);
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
    this.ground.position.set(middle.x, middle.y, this.low.z - 0.004 * size);
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
    this.axes.position.copy(this.low).setZ(this.ground.position.z);
    this.axes.scale.setScalar(0.25 * size);
    this.camera.near = 0.005 * size;
    this.camera.far = 60 * size;
    this.home();
  }

  /** Places besides the box that the camera at home sees, such as obstacles. */
  sights: THREE.Vector3[] = [];

  /** The camera where everything can be seen. */
  home(): void {
    const middle = this.low.clone().add(this.high).multiplyScalar(0.5);
    // across the broader of the two horizontal sides
    const side = (this.high.x - this.low.x >= this.high.y - this.low.y ? new THREE.Vector3(0.45, -1, 0.42) : new THREE.Vector3(1, -0.45, 0.42)).normalize();
    const right = new THREE.Vector3(0, 0, 1).cross(side).normalize(), up = side.clone().cross(right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    let far = (0.6 * this.size) / tall;
    const all = this.sights.map((p) => p.clone());
    for (let k = 0; k < 8; k++) // every corner of the box is in sight
      all.push(new THREE.Vector3(k & 1 ? this.low.x : this.high.x, k & 2 ? this.low.y : this.high.y, k & 4 ? this.low.z : this.high.z));
    for (const corner of all) {
      corner.sub(middle);
      const across = Math.max(Math.abs(corner.dot(right)) / this.camera.aspect, Math.abs(corner.dot(up)));
      far = Math.max(far, corner.dot(side) + across / (FILLED * tall));
    }
    this.camera.position.copy(middle).addScaledVector(side, far);
    this.controls.target.copy(middle);
    this.controls.update();
    this.camera.updateProjectionMatrix();
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

  /** Bodies rest on a floor of the scene instead. */
  lowerGround(below: number): void {
    this.ground.position.z = Math.min(this.ground.position.z, below - 0.004 * this.size);
  }

  /** Where a second copy of the scene has room. */
  beside(): THREE.Vector3 {
    const wide = this.high.x - this.low.x, deep = this.high.y - this.low.y;
    return wide >= deep ? new THREE.Vector3(0, 1.5 * deep + 0.15 * wide, 0) : new THREE.Vector3(1.5 * wide + 0.15 * deep, 0, 0);
  }

  showGround(on: boolean): void {
    this.ground.visible = on;
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
    this.camera.updateProjectionMatrix();
    this.changed = true;
  }

  /** Something has changed that the next picture must show. */
  changed = true;

  /** Draws, if there is anything new to see. */
  draw(): void {
    const turned = this.controls.update();
    if (!turned && !this.changed) return;
    this.changed = false;
    this.renderer.render(this.scene, this.camera);
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
