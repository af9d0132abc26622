// Pictures without a screen: `pliant render` opens the page with ?picture and drives it through pliant.picture.
// Nothing but the scene is shown, nothing is drawn unasked, and the camera sees all of every body.
import * as THREE from "three";
import type { Look } from "./body";
import { encode, type State } from "./protocol";
import type { Stage } from "./stage";
import { FilmEncoder } from "./webm";
import { WebpEncoder } from "./webp";
import "./picture.css";

/** What the picture needs of the page. */
export interface PictureHost {
  readonly stage: Stage;
  send(frame: ArrayBuffer): void;
  /** The newest state; null before the first. */
  newest(): State | null;
  /** More that a picture of what is in this box should show. */
  sights(box: THREE.Box3): THREE.Vector3[];
  /** Whether the newest state and all that belongs to it is drawn. */
  complete(): boolean;
  setLook(look: Look): void;
  setScale(on: boolean): void;
  setBeside(on: boolean): void;
}

export interface PictureView {
  look?: Look;
  azimuth?: number; // degrees
  elevation?: number; // degrees
  zoom?: number;
  scale?: boolean;
  beside?: boolean; // ghosts
  low?: [number, number, number]; // more that must be in sight
  high?: [number, number, number];
}

const MARGIN = 0.86; // share of the picture that bodies may take

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

export class Picture {
  private film: FilmEncoder | WebpEncoder | null = null;

  constructor(private readonly host: PictureHost) {
    document.body.classList.add("picture");
  }

  ready(): boolean {
    return this.host.newest() !== null && this.host.complete();
  }

  /** Points the camera so that everything is in sight, and draws. */
  async frame(view: PictureView): Promise<void> {
    const { stage } = this.host;
    this.host.setBeside(view.beside ?? false);
    const points = this.points();
    const box = new THREE.Box3();
    for (const p of points) box.expandByPoint(p);
    const low = view.low ?? box.min.toArray(), high = view.high ?? box.max.toArray();
    if (view.low) for (let k = 0; k < 8; k++) points.push(new THREE.Vector3(k & 1 ? low[0] : high[0], k & 2 ? low[1] : high[1], k & 4 ? low[2] : high[2]));
    stage.setBox(low, high);
    const all = new THREE.Box3(new THREE.Vector3().fromArray(low), new THREE.Vector3().fromArray(high));
    for (const p of this.host.sights(all)) points.push(p);
    this.fit(points, this.direction(view, high[0] - low[0], high[1] - low[1]), view.zoom ?? 1);
    this.host.setLook(view.look ?? "surface");
    this.host.setScale(view.scale ?? false);
    await this.settle();
  }

  async startFilm(fps: number, format: "webm" | "webp" = "webm"): Promise<void> {
    const canvas = this.host.stage.renderer.domElement;
    this.film = format === "webp" ? new WebpEncoder(canvas, fps) : new FilmEncoder(canvas, fps);
    await this.film.start();
  }

  /** Steps on to a step and takes its picture. */
  async shoot(step: number): Promise<void> {
    const now = this.host.newest()!.step;
    if (step > now) this.host.send(encode.Step({ count: step - now }));
    await until(() => this.host.newest()!.step === step && this.host.complete());
    await this.settle();
    await this.film!.add();
  }

  /** The film as base64. */
  async endFilm(): Promise<string> {
    return base64(await this.film!.end());
  }

  private async settle(): Promise<void> {
    await until(() => this.host.complete());
    this.host.stage.changed = true;
    this.host.stage.draw();
  }

  private direction(view: PictureView, wide: number, deep: number): THREE.Vector3 {
    const azimuth = view.azimuth ?? (wide >= deep ? -62 : -28);
    const elevation = view.elevation ?? 20;
    const a = (azimuth * Math.PI) / 180, e = (elevation * Math.PI) / 180;
    return new THREE.Vector3(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e));
  }

  /** The drawn points, thinned out when there are very many. */
  private points(): THREE.Vector3[] {
    const { stage } = this.host;
    const list: THREE.Vector3[] = [];
    for (const body of stage.bodies) {
      if (!body) continue;
      const places = body.deformation.read(stage.renderer);
      const stride = 3 * Math.max(1, Math.floor(places.length / 3 / 60000));
      for (let i = 0; i + 2 < places.length; i += stride) list.push(new THREE.Vector3().fromArray(places, i).add(body.group.position));
    }
    return list;
  }

  /** The nearest place along a direction from where all points are inside the margin, centred. */
  private fit(points: THREE.Vector3[], direction: THREE.Vector3, zoom: number): void {
    const { camera, controls } = this.host.stage;
    const tall = Math.tan((camera.fov * Math.PI) / 360) * MARGIN, broad = tall * camera.aspect;
    const right = new THREE.Vector3(0, 0, 1).cross(direction).normalize();
    const up = direction.clone().cross(right);
    const seen = points.map((p) => new THREE.Vector3(p.dot(right), p.dot(up), p.dot(direction)));
    // At distance D the picture spans x ± broad (D − z) at depth z, so a point is inside when
    // p.x + broad p.z ≤ x + broad D and p.x − broad p.z ≥ x − broad D; likewise upwards.
    let l = Infinity, r = -Infinity, b = Infinity, t = -Infinity, near = -Infinity, back = Infinity;
    for (const p of seen) {
      l = Math.min(l, p.x - broad * p.z);
      r = Math.max(r, p.x + broad * p.z);
      b = Math.min(b, p.y - tall * p.z);
      t = Math.max(t, p.y + tall * p.z);
      near = Math.max(near, p.z);
      back = Math.min(back, p.z);
    }
    const far = Math.max((r - l) / (2 * broad), (t - b) / (2 * tall));
    const x = (r + l) / 2, y = (t + b) / 2, middle = (near + back) / 2;
    const target = right.clone().multiplyScalar(x).addScaledVector(up, y).addScaledVector(direction, middle);
    controls.enableDamping = false;
    controls.target.copy(target);
    camera.position.copy(target).addScaledVector(direction, (far - middle) / zoom);
    camera.updateProjectionMatrix();
    controls.update();
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => requestAnimationFrame(resolve));
}
