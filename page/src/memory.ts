// What the page remembers: the camera and the look of each scene over a reload, what people have chosen, and the same in
// a link that can be passed on.
import type { Look } from "./body";

export interface View {
  scene: string;
  camera: number[]; // place, then what it looks at
  look: Look;
}

const LOOKS: Look[] = ["surface", "wireframe", "domains", "displacement", "stress"];

function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(`pliant.${key}`) ?? "null") as T | null;
  } catch {
    return null; // no storage here, or something else in it
  }
}
export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`pliant.${key}`, JSON.stringify(value));
  } catch {
    // a private window: nothing is remembered
  }
}
export function recall<T>(key: string, otherwise: T): T {
  const found = read<T>(key);
  return found !== null && typeof found === typeof otherwise ? found : otherwise;
}

export const rememberView = (view: View): void => remember(`view.${view.scene}`, view);

function sound(view: View | null, scene: string): View | null {
  return view && view.scene === scene && Array.isArray(view.camera) && view.camera.length === 6 && view.camera.every(Number.isFinite) && LOOKS.includes(view.look) ? view : null;
}

/** The view of a scene: from the link that was opened, else as it was left. */
export function recallView(scene: string): View | null {
  const parts = new URLSearchParams(location.hash.slice(1));
  const linked = { scene: parts.get("scene") ?? "", camera: (parts.get("camera") ?? "").split(",").map(Number), look: (parts.get("look") ?? "surface") as Look };
  return sound(linked, scene) ?? sound(read<View>(`view.${scene}`), scene);
}

/** The scene that a link asks for. */
export const linkedScene = (): string | null => new URLSearchParams(location.hash.slice(1)).get("scene");

/** A link with scene, camera and look. */
export function linkTo(view: View): string {
  const camera = view.camera.map((x) => Number(x.toPrecision(5))).join(",");
  return `${location.origin}${location.pathname}${location.search}#scene=${encodeURIComponent(view.scene)}&camera=${camera}&look=${view.look}`;
}
