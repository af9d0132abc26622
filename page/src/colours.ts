// Colours that tell how far points have moved or how much the body is strained. The server computes the fields, less
// often than states come; a legend says what the colours mean.
import * as THREE from "three";
import type { Look } from "./body";
import { encode, type Field } from "./protocol";
import { tick } from "./plots";
import type { Stage } from "./stage";

/** From little to much. */
const STOPS = ["#2b3f96", "#2a86b8", "#4fb89a", "#c9d566", "#f3b04a", "#e0642f", "#a81e2c"];
const BETWEEN = 180; // ms between questions

/** 256 tints: square roots of linear colours, as bodies keep them. */
function mix(): Uint8Array {
  const ramp = new Uint8Array(3 * 256);
  const colours = STOPS.map((stop) => new THREE.Color(stop));
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (STOPS.length - 1), s = Math.min(STOPS.length - 2, Math.floor(at));
    const colour = colours[s].clone().lerp(colours[s + 1], at - s);
    [colour.r, colour.g, colour.b].forEach((c, k) => (ramp[3 * i + k] = Math.round(255 * Math.sqrt(c))));
  }
  return ramp;
}
const RAMP = mix();

const QUANTITY: Partial<Record<Look, number>> = { displacement: 1, stress: 2 };
export const isField = (look: Look): boolean => QUANTITY[look] !== undefined;

export class Colours {
  private look: Look = "surface";
  private readonly box = document.createElement("section");
  private readonly title = document.createElement("span");
  private readonly top = document.createElement("span");
  private fields: Field[] = [];
  private waiting = new Set<number>(); // bodies that have been asked for
  private asked = 0;
  private scale = 0;

  constructor(private readonly stage: Stage, private readonly send: (frame: ArrayBuffer) => void) {
    this.box.id = "legend";
    this.box.hidden = true;
    const bar = document.createElement("i");
    bar.style.background = `linear-gradient(90deg, ${STOPS.join(", ")})`;
    const ends = document.createElement("p");
    const zero = document.createElement("span");
    zero.textContent = "0";
    ends.append(zero, this.top);
    this.box.append(this.title, bar, ends);
    document.body.append(this.box);
  }

  setLook(look: Look): void {
    if (look !== this.look) this.restart();
    this.look = look;
    this.box.hidden = !isField(look);
    this.title.textContent = look === "stress" ? "von Mises stress" : "displacement";
  }

  /** Bodies have become others. */
  restart(): void {
    this.fields = [];
    this.waiting.clear();
    this.scale = 0;
    this.asked = 0;
  }

  /** Whether all bodies show the field of this step. */
  settled(step: number): boolean {
    if (!isField(this.look)) return true;
    return this.stage.bodies.every((body, b) => !body || this.isMute(b) || this.fields[b]?.step === step);
  }

  /** Once a picture: asks for what is old. */
  tick(now: number, step: number): void {
    const quantity = QUANTITY[this.look];
    if (quantity === undefined || this.waiting.size > 0 || now - this.asked < BETWEEN) return;
    this.asked = now;
    this.stage.bodies.forEach((body, b) => {
      if (!body || this.isMute(b) || this.fields[b]?.step === step) return;
      this.waiting.add(b);
      this.send(encode.AskField({ body: b, quantity }));
    });
  }

  receive(field: Field): void {
    this.waiting.delete(field.body);
    const body = this.stage.bodies[field.body];
    if (!body || field.quantity !== QUANTITY[this.look]) return;
    this.fields[field.body] = field;
    const largest = Math.max(...this.fields.map((one) => one?.top ?? 0));
    // the scale follows at once upwards, slowly downwards: colours do not flicker
    this.scale = largest === 0 ? 0 : Math.max(largest, 0.97 * this.scale);
    const stress = this.look === "stress", unit = stress ? "Pa" : "m";
    this.top.textContent = this.scale === 0 ? `0 ${unit} everywhere` : `${stress ? "≥ " : ""}${tick(this.scale, unit)}`;
    for (const one of this.fields) if (one) this.stage.bodies[one.body]?.paint(one.values, one.top / (this.scale || 1), RAMP);
    this.stage.changed = true;
  }

  /** A recorded body has no fields. */
  private isMute(b: number): boolean {
    return this.stage.bodies[b].info.model === "recorded";
  }
}
