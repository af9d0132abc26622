// Sketches and cuts in a real browser against the real server: pull, solve, and the body runs on with the new basis;
// paint, look at the graph, apply, and it runs on as a tree, whose files the program reads back.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { check, folder, look, program, run, serve, shoot, state, unfold, until } from "./browser.mjs";

const scene = `
[simulation]
dt = 0.005
duration = 1.0
gravity = [0, 0, -9.81]
damping = { mass = 1.0, stiffness = 0.004 }
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.12], cells = [12, 3, 2], element = "tet" }
material = { law = "stvk", young = 8e5, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "modal", linear_modes = 5, modes = 12 }
`;
const pullsFile = path.join(folder, "pulls.txt");
let page;

const tools = () => page.evaluate(() => window.pliant.tools.state());
const press = (name) => page.locator(".tool").getByRole("button", { name, exact: true }).click();
const picture = (name) => shoot(page, name);
/** Waits until some steps more have run. */
async function runsOn(what) {
  const { drawn, step } = await state(page);
  await until(page, ([d, s]) => window.pliant.state().drawn > d + 3 && window.pliant.state().step > s + 3, [drawn, step]);
  check((await state(page)).healthy, what);
}
/** A place of the canvas that shows a point near the free end. */
const tipSpot = () => page.evaluate(() => {
  const x = window.pliant.positions(0);
  let best = 0;
  for (let i = 0; i < x.length; i += 3) if (x[i] + 0.2 * x[i + 2] > x[best] + 0.2 * x[best + 2]) best = i;
  const [cx, cy] = window.pliant.project(0, best / 3);
  for (let r = 0; r < 60; r += 2)
    for (const [dx, dy] of [[-1, 0], [-1, 1], [0, 1], [-1, -1], [0, -1]]) {
      const hit = window.pliant.pick(cx + r * dx, cy + r * dy);
      if (hit) return { x: cx + r * dx, y: cy + r * dy, point: hit.point };
    }
  return null;
});
async function drag(from, to, steps = 10) {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(from[0] + ((to[0] - from[0]) * i) / steps, from[1] + ((to[1] - from[1]) * i) / steps);
    await page.waitForTimeout(60);
  }
}

async function testSketch() {
  await unfold(page);
  await page.click("text=sketch a basis (b)");
  await until(page, () => window.pliant.tools.state().open === "sketch");
  check(!(await state(page)).pulling && (await page.isVisible(".tool")), "the sketch opens");
  const spot = await tipSpot();
  await drag([spot.x, spot.y], [spot.x - 30, spot.y - 90]);
  await page.waitForTimeout(400);
  await page.mouse.move(spot.x - 30, spot.y - 92);
  await page.waitForTimeout(300);
  const moved = await page.evaluate((p) => window.pliant.positions(0).slice(3 * p, 3 * p + 3)[2], spot.point);
  await picture("sketch-pull");
  await page.mouse.up();
  check(moved > 0.16, `the linear model follows the hand (z = ${moved.toFixed(3)})`);
  let now = await tools();
  check(now.pulls.length === 1 && now.pulls[0].peak > 0.1 && now.pulls[0].loads > 1, `a pull is recorded (${JSON.stringify(now.pulls)})`);
  await drag([spot.x, spot.y], [spot.x - 20, spot.y + 60]);
  await page.waitForTimeout(200);
  await page.mouse.up();
  await page.evaluate((p) => window.pliant.tools.pullTo(p, [0.98, 0.25, 0.06]), spot.point);
  now = await tools();
  check(now.pulls.length === 3, "and two more");
  await page.keyboard.press("Control+z");
  check((await tools()).pulls.length === 2, "undo takes one back");
  await page.click(".tool li:last-child button");
  check((await tools()).pulls.length === 1, "a pull can be deleted");
  await press("undo");
  await page.evaluate((p) => window.pliant.tools.pullTo(p, [0.98, 0.25, 0.06]), spot.point);
  await press("save");
  await page.waitForTimeout(500);
  check(existsSync(pullsFile) && readFileSync(pullsFile, "utf8").split("\n").length > 5, "pulls are written to the file that was named");
  const [download] = await Promise.all([page.waitForEvent("download"), press("download")]);
  check(readFileSync(await download.path(), "utf8") === readFileSync(pullsFile, "utf8"), "and downloaded, the same");
  await picture("sketch-list");
  const dofs = (await state(page)).bodies[0].dofs;
  const before = (await state(page)).step;
  await page.fill('input[aria-label="shapes at most"]', "7");
  await press("solve and use");
  await until(page, () => window.pliant.tools.state().busy || window.pliant.tools.state().outcome.includes("shapes"));
  await picture("sketch-work");
  await until(page, () => window.pliant.tools.state().outcome.includes("shapes"));
  await until(page, (d) => window.pliant.state().bodies[0].dofs !== d, dofs);
  const after = await state(page);
  check(after.bodies[0].dofs <= 7 && after.bodies[0].model === "modal", `the new basis has ${after.bodies[0].dofs} shapes (${(await tools()).outcome})`);
  check(after.step >= before, "the clock has run on");
  await runsOn("the body runs on with it");
  check(!(await page.isVisible(".tool")), "the card is gone");
  await picture("sketch-after");
}

async function testCut() {
  await page.keyboard.press("c");
  await until(page, () => window.pliant.tools.state().open === "cut" && window.pliant.tools.state().domains.length > 0);
  // a stroke of the brush along the outer end
  const spot = await page.evaluate(() => {
    const x = window.pliant.positions(0);
    return window.pliant.state().size > 0 && x.length > 0;
  });
  check(spot, "the cut opens");
  await page.evaluate(() => window.pliant.tools.paintWhere(1, (x) => x > 0.7));
  await until(page, () => window.pliant.tools.state().domains[1]?.elements > 0);
  let now = await tools();
  check(now.fine && now.links === 1, `two domains, one link (${now.domains.map((d) => d.elements)})`);
  // the lasso takes what is drawn around: the outer half of what is left, for a third domain
  await press("+ domain");
  await press("lasso");
  const box = await page.evaluate(() => {
    const at = (x) => window.pliant.tools.screen([x, 0.1, 0.06]);
    return [at(0.35), at(0.7)];
  });
  const [[x1, y1], [x2, y2]] = box;
  await page.mouse.move(x1, y1 - 160);
  await page.mouse.down();
  for (const [x, y] of [[x2, y2 - 160], [x2, y2 + 160], [x1, y1 + 160], [x1, y1 - 150]]) await page.mouse.move(x, y, { steps: 4 });
  await picture("cut-lasso");
  await page.mouse.up();
  await until(page, () => window.pliant.tools.state().domains[2]?.elements > 0);
  now = await tools();
  check(now.fine && now.domains.every((d) => d.elements > 0), `the lasso paints a third (${now.domains.map((d) => d.elements)})`);
  await press("brush");
  const [bx, by] = await page.evaluate(() => window.pliant.tools.screen([0.33, 0, 0.06]));
  const elements = now.domains[2].elements;
  await drag([bx - 3, by], [bx + 30, by + 2], 5);
  await page.mouse.up();
  await until(page, (n) => window.pliant.tools.state().domains[2].elements !== n, elements);
  check(true, `the brush paints (${(await tools()).domains.map((d) => d.elements)})`);
  await picture("cut-brush");
  await page.keyboard.press("Control+z");
  await until(page, (n) => window.pliant.tools.state().domains[2].elements === n, elements);
  check(true, "undo takes the stroke back");
  check((await page.locator(".tool svg .node").count()) === 3 && (await page.locator(".tool svg path").count()) === 2, "the graph shows three domains and two links");
  await page.fill(".tool li:nth-child(2) input[type=text]", "tip");
  await page.fill(".tool li:nth-child(2) input[type=number]", "6");
  await page.keyboard.press("Tab");

  // a ring: four quarters
  await page.evaluate(() => {
    window.pliant.tools.paintWhere(1, (x, y) => x > 0.6 && y < 0.1);
    window.pliant.tools.paintWhere(2, (x, y) => x > 0.6 && y >= 0.1);
    window.pliant.tools.paintWhere(3, (x, y) => x > 0.3 && x <= 0.6 && y >= 0.1);
    window.pliant.tools.paintWhere(0, (x, y) => x <= 0.3 || (x <= 0.6 && y < 0.1));
  });
  await until(page, () => window.pliant.tools.state().domains.some((d) => d.ring > 0));
  check(!(await tools()).fine && (await page.locator(".tool svg .ring").count()) > 2, "a ring is drawn as one, and cannot be applied");
  await picture("cut-ring");
  for (let i = 0; i < 4; i++) await press("undo");
  await until(page, () => window.pliant.tools.state().fine);

  await picture("cut-graph");
  const downloads = [];
  page.on("download", (one) => downloads.push(one));
  await press("download mesh and scene");
  for (let i = 0; i < 100 && downloads.length < 2; i++) await page.waitForTimeout(100);
  check(downloads.length === 2, `two files are downloaded (${downloads.map((one) => one.suggestedFilename())})`);
  for (const one of downloads) await one.saveAs(path.join(folder, one.suggestedFilename()));
  const info = JSON.parse(execFileSync(program, ["info", path.join(folder, "beam-domains.msh"), "--json"], { encoding: "utf8" }));
  check(JSON.stringify(info).includes("tip"), "pliant info reads the mesh and its domains");
  const cut = JSON.parse(execFileSync(program, ["decompose", path.join(folder, "beam-domains.toml"), "--json"], { encoding: "utf8" }));
  const names = cut.bodies.beam.domains.map((d) => `${d.name}:${d.elements}:${d.modes}`).sort().join(" ");
  const mine = (await tools()).domains.filter((d) => d.elements > 0).map((d) => `${d.name}:${d.elements}:${d.modes}`).sort().join(" ");
  check(names === mine, `the scene has the same domains (${names})`);

  await page.click(".tool button.main");
  await until(page, () => window.pliant.state().bodies[0].model === "tree");
  check(true, `it runs as a tree: ${(await tools()).outcome}`);
  await runsOn("and goes on");
  await page.evaluate(() => window.pliant.look("domains"));
  await page.waitForTimeout(500);
  await picture("cut-after");

  // once more, automatically, and from the tree that runs now
  await page.keyboard.press("c");
  await until(page, () => window.pliant.tools.state().domains.length === 3);
  await page.evaluate(() => window.pliant.tools.split(5));
  await until(page, () => window.pliant.tools.state().domains.length === 5);
  check((await tools()).fine, "five domains are found");
  await picture("cut-auto");

  // one bay of a regular mesh, and all that are like it
  await page.evaluate(() => {
    window.pliant.tools.paintWhere(0, () => true);
    window.pliant.tools.paintWhere(1, (x) => x > 5 / 12 && x < 6 / 12);
  });
  await until(page, () => window.pliant.tools.state().domains[1]?.elements > 10 && window.pliant.tools.state().domains.filter((d) => d.elements > 0).length === 2);
  const bay = (await tools()).domains[1].elements;
  await page.evaluate(() => window.pliant.tools.repeat(1));
  await until(page, () => window.pliant.tools.state().domains.filter((d) => d.elements > 0).length > 2);
  const bays = (await tools()).domains.filter((d) => d.elements === bay).length;
  check(bays >= 6, `copies of a domain are found (${bays} bays of ${bay} elements)`);
  await picture("cut-copies");
  await page.keyboard.press("Escape");
  check(!(await page.isVisible(".tool")), "Escape closes the card");
  await runsOn("and the body is as it was");
}

/** Elements that come while a tool is open wait; the body of a tool can be chosen. */
async function testTwoBodies() {
  const body = (name, y) => `
[[body]]
name = "${name}"
generate = { shape = "box", size = [1, 0.2, 0.12], cells = [6, 2, 2], element = "tet" }
transform = { translate = [0, ${y}, 0] }
material = { law = "stvk", young = 8e5, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "modal", linear_modes = 3, modes = 5 }
`;
  const server = await serve("two", scene.split("[[body]]")[0] + body("left", 0) + body("right", 0.5));
  page = await look(server.url, { width: 400, height: 300 });
  const count = () => page.evaluate(() => window.pliant.positions(1).length / 3);
  const elements = (on) => until(page, (want) => (document.querySelector(`[data-control="elements (e)"]`).dataset.value === "true") === want, on);
  const surface = await count();
  await page.keyboard.press("c");
  await until(page, () => window.pliant.tools.state().open === "cut" && window.pliant.tools.state().domains.length > 0);
  await page.selectOption(".tool select", { label: "right" });
  await until(page, () => window.pliant.tools.state().open === "cut" && window.pliant.tools.state().body === 1);
  check(true, "the body to cut can be chosen");
  await page.focus("#stage");
  await page.keyboard.press("e");
  check(/works on the surface/.test(await page.textContent("#toasts")), "elements are not shown while a tool is open");
  await page.evaluate(() => window.pliant.volume(true, 1, 0.4));
  await until(page, (n) => window.pliant.positions(1).length / 3 !== n, surface);
  const seen = await page.evaluate(() => [...Array(20).keys()].some((p) => window.pliant.pick(...window.pliant.project(1, p))?.body === 1));
  check(!seen, "a body that is drawn anew stays hidden below the paint");
  await page.keyboard.press("b");
  await until(page, () => window.pliant.tools.state().open === "sketch");
  check((await tools()).body === 1 && (await count()) === surface, "a sketch begins once the surface is there");
  await page.evaluate(() => window.pliant.volume(true, 1, 0.4));
  await elements(true);
  await page.waitForTimeout(300);
  check((await count()) === surface, "its body stays when another is to be drawn");
  await page.keyboard.press("Escape");
  const same = await page.evaluate(async () => (await window.pliant.serverPositions(1)).positions.length === window.pliant.positions(1).length);
  check(same && (await count()) !== surface, "which is drawn when it closes");
  check(page.complaints.length === 0, `the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);
  await page.close();
  await server.stop();
}

await run(async () => {
  const server = await serve("beam", scene, "--pulls", pullsFile);
  page = await look(server.url, { width: 1280, height: 720 });
  await testSketch();
  await testCut();
  check(page.complaints.length === 0, `the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);
  await page.close();
  check((await server.stop()) === 0, "the server ends with exit code 0");
  await testTwoBodies();
});
