// Axes that turn with the view, and a bar of a round length at the distance of what the camera looks at.
import * as THREE from "three";
import type { Stage } from "./stage";

const LONGEST = 150; // px

function roundLength(most: number): number {
  const decade = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((k) => k * decade).find((length) => length <= most) ?? decade;
}
function words(length: number): string {
  if (length >= 1000) return `${length / 1000} km`;
  if (length >= 1) return `${Number(length.toPrecision(2))} m`;
  if (length >= 0.01) return `${Number((100 * length).toPrecision(2))} cm`;
  return `${Number((1000 * length).toPrecision(2))} mm`;
}

export class Scale {
  private readonly box = document.createElement("section");
  private readonly bar = document.createElement("i");
  private readonly text = document.createElement("span");
  private readonly cross: SVGSVGElement;

  constructor(private readonly stage: Stage) {
    this.box.id = "scale";
    this.box.hidden = true;
    this.cross = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.cross.setAttribute("viewBox", "-34 -34 68 68");
    const bar = document.createElement("div");
    bar.append(this.text, this.bar);
    this.box.append(this.cross, bar);
    document.body.append(this.box);
  }

  show(on: boolean): void {
    this.box.hidden = !on;
    this.update();
  }

  update(): void {
    if (this.box.hidden) return;
    const { camera, controls, renderer } = this.stage;
    const far = camera.position.distanceTo(controls.target);
    const metres = (2 * far * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, renderer.domElement.clientHeight);
    const length = roundLength(LONGEST * metres);
    this.bar.style.width = `${length / metres}px`;
    this.text.textContent = words(length);
    const turn = camera.quaternion.clone().invert();
    const axes = (["x", "y", "z"] as const).map((name, k) => {
      const v = new THREE.Vector3().setComponent(k, 1).applyQuaternion(turn);
      return { name, v, colour: ["#b3261e", "#2e7d32", "#1d5fa8"][k] };
    }).sort((a, b) => a.v.z - b.v.z); // those that point to the viewer last
    this.cross.innerHTML = axes.map(({ name, v, colour }) => `<line x2="${(22 * v.x).toFixed(1)}" y2="${(-22 * v.y).toFixed(1)}" stroke="${colour}" stroke-width="2" stroke-linecap="round"/><text x="${(29 * v.x).toFixed(1)}" y="${(-29 * v.y + 3.5).toFixed(1)}" fill="${colour}" text-anchor="middle">${name}</text>`).join("");
  }
}
