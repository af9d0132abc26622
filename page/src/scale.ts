// Axes that turn with the view, each end a button for the view from there; and a bar of a round length at the distance of
// what the camera looks at.
import * as THREE from "three";
import type { Side, Stage } from "./stage";

const LONGEST = 150; // px

const ENDS: [string, Side, [number, number, number]][] = [
  ["x", "right", [1, 0, 0]], ["y", "back", [0, 1, 0]], ["z", "top", [0, 0, 1]],
  ["", "left", [-1, 0, 0]], ["", "front", [0, -1, 0]], ["", "bottom", [0, 0, -1]],
];
const AXIS_COLOURS = ["#d0453b", "#3c9a40", "#3b82d0"];

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
  private readonly ends: { axis: THREE.Vector3; group: SVGGElement; line: SVGLineElement | null; mark: SVGCircleElement; text: SVGTextElement | null }[] = [];
  private readonly measure = document.createElement("div");
  private turned = new THREE.Quaternion(0, 0, 0, 0);

  constructor(private readonly stage: Stage) {
    this.box.id = "scale";
    this.cross = this.svg("svg");
    this.cross.setAttribute("viewBox", "-34 -34 68 68");
    ENDS.forEach(([name, side, axis], k) => this.addEnd(name, side, new THREE.Vector3(...axis), AXIS_COLOURS[k % 3]));
    this.measure.append(this.text, this.bar);
    this.measure.hidden = true;
    this.box.append(this.cross, this.measure);
    document.body.append(this.box);
  }

  private svg<K extends keyof SVGElementTagNameMap>(kind: K): SVGElementTagNameMap[K] {
    return document.createElementNS("http://www.w3.org/2000/svg", kind);
  }

  private addEnd(name: string, side: Side, axis: THREE.Vector3, colour: string): void {
    const group = this.svg("g"), mark = this.svg("circle");
    const line = name ? this.svg("line") : null, text = name ? this.svg("text") : null;
    mark.setAttribute("r", name ? "7" : "5");
    mark.setAttribute("fill", colour);
    mark.setAttribute("fill-opacity", name ? "1" : "0.35");
    if (line) {
      line.setAttribute("stroke", colour);
      line.setAttribute("stroke-width", "2");
      group.append(line);
    }
    group.append(mark);
    if (text) {
      text.textContent = name;
      text.setAttribute("text-anchor", "middle");
      text.setAttribute("fill", "#fff");
      group.append(text);
    }
    const title = this.svg("title");
    title.textContent = `view from the ${side}`;
    group.append(title);
    group.addEventListener("click", () => this.stage.home(side));
    this.cross.append(group);
    this.ends.push({ axis, group, line, mark, text });
  }

  /** The bar of a known length; the axes are always there. */
  show(on: boolean): void {
    this.measure.hidden = !on;
    this.box.classList.toggle("measuring", on);
    this.update();
  }

  update(): void {
    const { camera, controls, renderer } = this.stage;
    if (!this.measure.hidden) {
      const far = camera.position.distanceTo(controls.target);
      const metres = (2 * far * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, renderer.domElement.clientHeight);
      const length = roundLength(LONGEST * metres);
      this.bar.style.width = `${length / metres}px`;
      this.text.textContent = words(length);
    }
    if (this.turned.equals(camera.quaternion)) return;
    this.turned.copy(camera.quaternion);
    const turn = camera.quaternion.clone().invert();
    const sorted = this.ends.map((end) => ({ end, v: end.axis.clone().applyQuaternion(turn) })).sort((a, b) => a.v.z - b.v.z); // those that point to the viewer last
    sorted.forEach(({ end, v }) => {
      const x = (24 * v.x).toFixed(1), y = (-24 * v.y).toFixed(1);
      end.mark.setAttribute("cx", x);
      end.mark.setAttribute("cy", y);
      end.line?.setAttribute("x2", x);
      end.line?.setAttribute("y2", y);
      end.text?.setAttribute("x", x);
      end.text?.setAttribute("y", (-24 * v.y + 3.5).toFixed(1));
    });
    this.cross.replaceChildren(...sorted.map(({ end }) => end.group));
  }
}
