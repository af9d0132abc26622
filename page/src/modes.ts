// Natural modes that swing: rest + a sin(t) shape, computed by the graphics processor, in place of the simulated shape.
import * as THREE from "three";
import type { Body } from "./body";
import { Pass } from "./deform";
import { encode, type Mode } from "./protocol";
import type { Stage } from "./stage";
import { FETCH, floats4, halves4, padded, rowsFor, target4, WIDTH } from "./textures";

const SWING = `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D rest;
uniform sampler2D shape;
uniform float amount;
uniform int count;
out vec4 result;
${FETCH}
void main() {
  int i = int(gl_FragCoord.x) + ${WIDTH} * int(gl_FragCoord.y);
  if (i >= count) { result = vec4(0.0); return; }
  result = vec4(texelFetch(rest, place(i), 0).xyz + amount * texelFetch(shape, place(i), 0).xyz, 1.0);
}
`;
const PERIOD = 1.6; // s on the screen, whatever the frequency

function fill<T extends Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>(threes: Float32Array | Uint16Array, into: T): T {
  padded(threes as Float32Array, into as Float32Array);
  return into;
}

class Swinging {
  private readonly pass: Pass;
  private readonly textures: THREE.Texture[];
  private readonly amount = { value: 0 };

  constructor(readonly body: Body, mode: Mode) {
    const count = body.deformation.count;
    const rest = floats4(count, fill(body.geometry.rest, new Float32Array(4 * WIDTH * rowsFor(count))));
    const shape = halves4(count, fill(mode.shape, new Uint16Array(4 * WIDTH * rowsFor(count))));
    this.textures = [rest, shape];
    this.pass = new Pass(SWING, { rest: { value: rest }, shape: { value: shape }, amount: this.amount, count: { value: count } }, target4(count));
    body.usePlaces(this.pass.target.texture);
  }
  swing(renderer: THREE.WebGLRenderer, amount: number): void {
    this.amount.value = amount;
    this.pass.run(renderer);
  }
  dispose(): void {
    this.body.usePlaces(null);
    this.pass.dispose();
    for (const texture of this.textures) texture.dispose();
  }
}

export class Modes {
  amplitude = 0.12; // of the scene's size
  /** Told what is shown: "mode 3 of 12: 4.21 Hz", or nothing. */
  onShow: (text: string) => void = () => {};
  private swinging: Swinging | null = null;
  private wanted = { body: 0, mode: -1 };

  constructor(private readonly stage: Stage, private readonly send: (frame: ArrayBuffer) => void) {}

  get shown(): boolean {
    return this.swinging !== null;
  }

  /** Shows a mode of a body (from 0); a negative one: the simulation again. */
  show(body: number, mode: number): void {
    this.wanted = { body, mode };
    if (mode >= 0) this.send(encode.AskMode({ body, mode }));
    else this.stop();
  }

  stop(): void {
    this.swinging?.dispose();
    this.swinging = null;
    this.stage.changed = true;
    this.onShow("");
  }

  receive(mode: Mode): void {
    const body = this.stage.bodies[mode.body];
    if (!body || mode.body !== this.wanted.body || mode.mode !== this.wanted.mode) return;
    this.swinging?.dispose();
    this.swinging = new Swinging(body, mode);
    const hz = mode.hz[mode.mode];
    this.onShow(`mode ${mode.mode + 1} of ${mode.hz.length}: ${hz.toPrecision(4)} Hz${mode.rigid > 0 ? `, ${mode.rigid} rigid ones not counted` : ""}`);
  }

  /** Once a picture. */
  tick(now: number): void {
    if (!this.swinging) return;
    if (this.stage.bodies[this.swinging.body.index] !== this.swinging.body) { // drawn anew meanwhile
      this.stop();
      return;
    }
    this.swinging.swing(this.stage.renderer, this.amplitude * this.stage.size * Math.sin((2 * Math.PI * now) / (1000 * PERIOD)));
    this.stage.changed = true;
  }
}
