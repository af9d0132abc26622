// How long until a page of `pliant view` shows a body of 60 thousand triangles: from the program's start to its URL, and
// from the page's first request to the first picture. Once as it is on this machine, and once without the time of
// software that plays a graphics processor: all else happens (tables, textures, shaders), but calls that draw do nothing.
//
// usage: node tools/measure_first_picture.mjs PLIANT FOLDER [RUNS]
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { folder, look, run, serve } from "../tests/view/browser.mjs";

/** A ball of 2 (rings - 1) · around triangles. */
function ball(rings, around, radius) {
  const lines = [`v 0 0 ${radius}`, `v 0 0 ${-radius}`];
  const at = (i, j) => 3 + (i - 1) * around + (j % around);
  for (let i = 1; i < rings; i++)
    for (let j = 0; j < around; j++) {
      const [t, p] = [(Math.PI * i) / rings, (2 * Math.PI * j) / around];
      lines.push(`v ${radius * Math.sin(t) * Math.cos(p)} ${radius * Math.sin(t) * Math.sin(p)} ${radius * Math.cos(t)}`);
    }
  for (let j = 0; j < around; j++) {
    lines.push(`f 1 ${at(1, j)} ${at(1, j + 1)}`, `f 2 ${at(rings - 1, j + 1)} ${at(rings - 1, j)}`);
    for (let i = 1; i + 1 < rings; i++)
      lines.push(`f ${at(i, j)} ${at(i + 1, j)} ${at(i + 1, j + 1)}`, `f ${at(i, j)} ${at(i + 1, j + 1)} ${at(i, j + 1)}`);
  }
  return `${lines.join("\n")}\n`;
}

const scene = (model) => `
[simulation]
dt = 0.01
duration = 1.0
gravity = [0, 0, -9.81]
[[body]]
name = "ball"
generate = { shape = "sphere", radius = 0.3, across = 10 }
surface = "ball.obj"
material = { law = "stvk", young = 1e5, poisson = 0.3, density = 1000 }
fixed = ["z > 0.25"]
${model}
`;
const models = {
  modal: 'model = { type = "modal", linear_modes = 6, modes = 20 }',
  tree: `model = { type = "tree", linear_modes = 4, modes = 12 }
[[body.domain]]
name = "upper"
where = "z > 0"
[[body.domain]]
name = "lower"
where = "true"`,
};

/** In the page: drawing takes no time. */
function drawNothing() {
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced", "clear"])
    WebGL2RenderingContext.prototype[name] = () => {};
}
/** In the page: the second frame begins when the first one has been drawn. */
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

const runs = Number(process.argv[4] ?? 5);
const range = (times) => `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)} s`;
await run(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "ball.obj"), ball(151, 200, 0.3)); // 60,000 triangles
  for (const [name, model] of Object.entries(models))
    for (const [how, before] of [["drawn by software", () => {}], ["drawing excluded", drawNothing]]) {
      const [served, shown] = [[], []];
      for (let k = 0; k < runs; k++) {
        const start = performance.now();
        const server = await serve(name, scene(model));
        served.push((performance.now() - start) / 1e3);
        const page = await look(server.url, { width: 1280, height: 720 }, 1, before);
        await page.evaluate(drawn);
        shown.push((performance.now() - start) / 1e3);
        await page.close();
        await server.stop();
      }
      console.log(`${name}, ${how}: served after ${range(served)}, first picture after ${range(shown)} (${runs} runs)`);
    }
});
