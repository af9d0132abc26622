// The page in a real browser against the real server: what it shows, what it computes, what people can do with it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { check, folder, look, program, run, serve, set, shoot, shown, state, unfold, until } from "./browser.mjs";

const beam = (model, domains = "") => `
[simulation]
dt = 0.005
duration = 1.0
gravity = [0, 0, -9.81]
damping = { mass = 1.0, stiffness = 0.004 }
newton = { iterations = 20, tolerance = 1e-8 }
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.12], cells = [10, 2, 2], element = "tet" }
material = { law = "stvk", young = 8e5, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { ${model} }
${domains}
[[probe]]
name = "tip"
near = [1, 0.1, 0.06]
`;
const scenes = {
  modal: beam('type = "modal", linear_modes = 5, modes = 12'),
  tree: beam('type = "tree", linear_modes = 3, modes = 8', `
[[body.domain]]
name = "root"
where = "x < 0.35"
[[body.domain]]
name = "middle"
where = "x < 0.7"
[[body.domain]]
name = "tip"
where = "x >= 0.7"`),
  full: beam('type = "full"'),
};

/** Share of the canvas that differs from its top row. */
const coverage = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => {
  const stage = document.getElementById("stage");
  const copy = document.createElement("canvas");
  copy.width = stage.width;
  copy.height = stage.height;
  const context = copy.getContext("2d");
  context.drawImage(stage, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let coloured = 0;
  for (let i = 0; i < data.length; i += 4)
    if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40) coloured++;
  resolve(coloured / (data.length / 4));
})));

/** Largest distance between the graphics processor's points and the server's, at the same step, over the size. */
async function comparePositions(page) {
  await page.evaluate(() => window.pliant.pause(true));
  await until(page, () => window.pliant.state().paused);
  await page.evaluate(() => window.pliant.step(25));
  await page.waitForTimeout(300);
  await until(page, () => window.pliant.state().paused && !window.pliant.state().fresh);
  return page.evaluate(async () => {
    const server = await window.pliant.serverPositions(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const mine = window.pliant.positions(0);
    let worst = 0, moved = 0;
    for (let i = 0; i < mine.length; i += 3)
      worst = Math.max(worst, Math.hypot(mine[i] - server.positions[i], mine[i + 1] - server.positions[i + 1], mine[i + 2] - server.positions[i + 2]));
    for (let i = 0; i < mine.length; i += 3) moved = Math.max(moved, -mine[i + 2]);
    const size = window.pliant.state().size;
    return { count: mine.length / 3, worst: worst / size, sagged: moved / size, same: server.step === window.pliant.state().step, step: server.step };
  });
}

/** The point farthest along x, and how far its mean z is up. */
const tipOf = (page) => page.evaluate(() => {
  const x = window.pliant.positions(0);
  let tip = 0;
  for (let i = 0; i < x.length; i += 3) if (x[i] + 0.3 * x[i + 2] > x[tip] + 0.3 * x[tip + 2]) tip = i;
  return { point: tip / 3, place: [x[tip], x[tip + 1], x[tip + 2]] };
});

async function testModel(name, ...options) {
  const server = await serve(name, scenes[name], ...options);
  const page = await look(server.url);
  const half = options.includes("--half");
  const title = half ? `${name}, half floats` : name;
  const share = await coverage(page);
  check(share > 0.01, `${title}: the body is visible (${(100 * share).toFixed(1)} % of the picture)`);
  const found = await comparePositions(page);
  const bound = half ? 1e-3 : 1e-5;
  check(found.count > 50 && found.sagged > 0.01, `${title}: ${found.count} points have moved`);
  check(found.same && found.worst <= bound, `${title}: places of the graphics processor are the server's (${found.worst.toExponential(1)} ≤ ${bound} of the size, step ${found.step})`);
  check((await state(page)).healthy, `${title}: healthy`);
  await shoot(page, `test-${name}${half ? "-half" : ""}`);
  // elements instead of the surface, then half of them
  await page.keyboard.press("e");
  await page.evaluate(() => window.pliant.volume(true, 1, 0.5));
  await until(page, (n) => window.pliant.positions(0).length / 3 < n, found.count);
  const inside = await comparePositions(page);
  check(inside.same && inside.worst <= bound, `${title}: so are those of ${inside.count} points of the elements on one side (${inside.worst.toExponential(1)})`);
  await shoot(page, `test-${name}${half ? "-half" : ""}-elements`);
  await page.keyboard.press("e");
  await until(page, (n) => window.pliant.positions(0).length / 3 === n, found.count);
  check(page.complaints.length === 0, `${title}: the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);
  await page.close();
  check((await server.stop()) === 0, `${title}: the server ends with exit code 0`);
}

async function testHand() {
  const server = await serve("modal", scenes.modal);
  const page = await look(server.url, { width: 800, height: 560 });
  await page.keyboard.press("m"); // the settings may lie over the tip
  // a body that swings would swing away between a look and a touch
  await until(page, () => window.pliant.state().time > 1);
  await page.evaluate(() => window.pliant.pause());
  await until(page, () => window.pliant.state().paused);
  const before = await tipOf(page);
  const [x, y] = await page.evaluate((point) => window.pliant.project(0, point), before.point);
  // a spot well inside of the picture of the body
  const spot = await page.evaluate(([cx, cy]) => {
    for (let r = 0; r < 120; r += 3)
      for (const [dx, dy] of [[-1, 0], [-1, 1], [0, 1], [-1, -1], [0, -1]]) {
        const x = cx + r * dx, y = cy + r * dy;
        const hits = [[0, 0], [5, 0], [-5, 0], [0, 5], [0, -5]].map(([ex, ey]) => window.pliant.pick(x + ex, y + ey));
        if (hits.every((hit) => hit !== null) && document.elementFromPoint(x, y)?.id === "stage") return { x, y, ...hits[0] };
      }
    return null;
  }, [x, y]);
  check(spot !== null && spot.body === 0, "the body can be picked at its tip");
  if (!spot) return;
  const at = (point) => page.evaluate((p) => Array.from(window.pliant.positions(0).slice(3 * p, 3 * p + 3)), point);
  const start = await at(spot.point);
  await page.mouse.move(spot.x, spot.y);
  await page.mouse.down();
  for (let i = 1; i <= 12; i++) await page.mouse.move(spot.x, spot.y - 12 * i);
  await page.evaluate(() => window.pliant.pause(false));
  await until(page, () => window.pliant.state().pulling);
  await page.waitForTimeout(1500);
  const pulled = await at(spot.point);
  await shoot(page, "test-pull");
  const { size } = await state(page);
  check(pulled[2] - start[2] > 0.03 * size, `dragging a vertex moves it (${((pulled[2] - start[2]) / size).toFixed(3)} of the size upwards)`);
  await page.mouse.up();
  await until(page, () => !window.pliant.state().pulling);
  check(true, "letting go releases it");

  await page.evaluate((point) => window.pliant.pull(0, point, [0, 60, 0]), spot.point);
  let pushed = 0; // on average: it still swings
  for (let i = 0; i < 12; i++) {
    await page.waitForTimeout(100);
    pushed += (await at(spot.point))[1] / 12;
  }
  check(pushed - start[1] > 0.005 * size, `pull(body, vertex, force) pulls (by ${((pushed - start[1]) / size).toFixed(3)} of the size)`);
  await page.evaluate(() => window.pliant.release());

  await page.focus("#stage");
  await page.keyboard.press(" ");
  await until(page, () => window.pliant.state().paused);
  const step = (await state(page)).step;
  await page.keyboard.press("s");
  await until(page, (s) => window.pliant.state().step === s + 1, step);
  check(true, "space pauses, s makes one step");
  await page.keyboard.press("r");
  await until(page, () => window.pliant.state().step === 0);
  check(true, "r resets");
  await page.evaluate(() => window.pliant.step(40));
  await until(page, () => window.pliant.state().step === 40);
  await page.waitForTimeout(200);
  const plain = await tipOf(page);
  const { epoch } = await state(page);
  await page.evaluate(() => {
    window.pliant.reset();
    window.pliant.setMaterial(0, 0, 8e6, 1000);
    window.pliant.step(40);
  });
  await until(page, (e) => window.pliant.state().epoch > e && window.pliant.state().step === 40, epoch);
  await page.waitForTimeout(200);
  const stiff = await tipOf(page);
  check(stiff.place[2] - plain.place[2] > 0.005 * size, "a stiffer material sags less");
  await page.keyboard.press("h");
  check(await page.isVisible("#help"), "h shows the help");
  await page.keyboard.press("Escape");
  check(page.complaints.length === 0, `the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);
  await page.close();
  await server.stop();
}

async function testEdits() {
  const written = path.join(folder, "written.toml");
  const server = await serve("modal", scenes.modal, "--write", written);
  const page = await look(server.url, { width: 800, height: 560 });
  await page.keyboard.press("m");
  await until(page, () => window.pliant.state().time > 0.6);
  await page.evaluate(() => window.pliant.pause());
  await until(page, () => window.pliant.state().paused && !window.pliant.state().fresh);
  // the anchor follows a drag with shift
  const spot = await page.evaluate(() => {
    const [cx, cy] = window.pliant.tools.screen([0.3, 0, 0.06]);
    for (let r = 0; r < 120; r += 3)
      for (const [dx, dy] of [[0, 0], [0, 1], [1, 1], [0, -1], [1, 0]]) {
        const hits = [[0, 0], [4, 0], [-4, 0]].map(([ex, ey]) => window.pliant.pick(cx + r * dx + ex, cy + r * dy + ey));
        if (hits.every((hit) => hit !== null)) return { x: cx + r * dx, y: cy + r * dy };
      }
    return null;
  });
  const rootOf = () => page.evaluate(() => window.pliant.positions(0)[2]);
  const before = await rootOf();
  const { size } = await state(page);
  await page.keyboard.down("Shift");
  await page.mouse.move(spot.x, spot.y);
  await page.mouse.down();
  for (let i = 1; i <= 8; i++) await page.mouse.move(spot.x, spot.y - 12 * i);
  await page.evaluate(() => window.pliant.pause(false));
  await page.keyboard.up("Shift");
  await until(page, (d) => window.pliant.anchor(0)[2] > d, 0.05 * size);
  await shoot(page, "test-anchor");
  await page.mouse.up();
  await page.waitForTimeout(800);
  check((await rootOf()) - before > 0.04 * size, "a drag with shift moves what holds the body");
  check((await state(page)).healthy, "and it bears it");
  await page.evaluate(() => window.pliant.dragAnchor(0, [0, 0, 0]));
  await until(page, (d) => Math.hypot(...window.pliant.anchor(0)) < d, 0.001 * size);

  // wind and fewer shapes: built anew beside the simulation, which goes on
  const tip = (await tipOf(page)).point;
  const side = () => page.evaluate((point) => window.pliant.positions(0)[3 * point + 1], tip);
  const still = await side();
  await page.evaluate(() => window.pliant.setWind([0, 40, 0]));
  await until(page, () => window.pliant.state().edits.length === 1 && !window.pliant.tools.state().busy);
  // for a moment, while the new bodies take the place of the old ones, there may be none
  await until(page, ([point, y]) => {
    try { return window.pliant.positions(0)[3 * point + 1] > y; } catch { return false; }
  }, [tip, still + 0.004 * size]);
  check(true, "wind bends what stood in still air");
  await shoot(page, "test-wind");
  await page.evaluate(() => window.pliant.setModes(0, 5));
  await until(page, () => window.pliant.state().shapes[0] === 5);
  check((await state(page)).bodies[0].dofs === 5, "five shapes are in use");
  await page.evaluate(() => window.pliant.setGravity([0, 0, -3]));
  await until(page, () => window.pliant.state().edits.length === 3);
  await page.focus("#stage");
  await page.keyboard.press("Control+z");
  await until(page, () => window.pliant.state().edits[2].undone);
  check(/undone: gravity/.test(await page.textContent("#toasts")), "Ctrl+Z takes an edit back, and the page says which");
  await page.keyboard.press("Control+Shift+z");
  await until(page, () => !window.pliant.state().edits[2].undone);
  check(true, "Ctrl+Shift+Z does it again");
  await page.keyboard.press("m");
  await shoot(page, "test-edits");
  await page.evaluate(() => {
    window.pliant.writeScene();
    window.pliant.writeScene(false);
  });
  await until(page, () => window.pliant.tools.file("modal-edited.toml") !== null);
  const text = await page.evaluate(() => window.pliant.tools.file("modal-edited.toml"));
  check(/gravity = \[0.0, 0.0, -3.0\]/.test(text) && /modes_used = 5/.test(text) && /velocity = \[0.0, 40.0, 0.0\]/.test(text), "the scene that is handed out has the edits");
  await page.waitForTimeout(300);
  check(readFileSync(written, "utf8") === text, "and so has the file that the command line names");
  check(spawnSync(program, ["run", written, "--duration", "0.05", "--no-cache", "--quiet"]).status === 0, "which runs");
  check(page.complaints.length === 0, `the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);
  await page.close();
  await server.stop();
}

/** The settings show what holds, whoever changed it. */
async function testPanel() {
  const server = await serve("tree", scenes.tree);
  const page = await look(server.url, { width: 780, height: 300 });
  const edits = (count) => until(page, (n) => window.pliant.state().edits.filter((edit) => !edit.undone).length === n, count);
  const last = async () => (await state(page)).edits.at(-1).text;
  const E = "Young's modulus", density = "density", pitch = "pitch";
  const before = await shown(page, E);
  await set(page, E, "10 MPa");
  await edits(1);
  check((await shown(page, E)) === "10000000", "a modulus is typed with its unit");
  await page.evaluate(() => window.pliant.undo());
  await edits(0);
  check((await shown(page, E)) === before, `undo moves the slider of a material back (to ${before})`);
  await set(page, density, 2000);
  await edits(1);
  check(/8e\+05 Pa, 2000 kg/.test(await last()), `and another slider sends what holds then (${await last()})`);
  check((await shown(page, "gravity z")) === "-9.81" && (await shown(page, "gravity")) === "9.81", "gravity is shown as it was written");

  await set(page, pitch, 3);
  await edits(2);
  await set(page, "domain", "tip");
  check((await shown(page, pitch)) === "1" && (await shown(page, "own damping")) === "false" && (await shown(page, "domain stiffness damping")) === "0.004", "a domain shows its own pitch, and the damping of the scene");
  await set(page, "domain stiffness damping", "20 m");
  await edits(3);
  await set(page, "domain mass damping", 5);
  await page.waitForTimeout(300); // it joins the edit before
  await set(page, "domain", "middle");
  check((await shown(page, pitch)) === "3" && (await shown(page, "own damping")) === "false", "and the next one again its own");
  await set(page, "domain", "tip");
  check((await shown(page, "domain stiffness damping")) === "0.02" && (await shown(page, "domain mass damping")) === "5" && (await shown(page, "own damping")) === "true", "both dampings of a domain are kept");

  await page.focus("#stage");
  for (const key of ["w", "p"]) await page.keyboard.press(key);
  const chosen = () => Promise.all(["look", "plots (p)"].map((label) => shown(page, label)));
  check(String(await chosen()) === "wireframe,true", `keys change what the settings show (${await chosen()})`);
  const count = (await state(page)).edits.length;
  await page.evaluate(() => window.pliant.setWind([0, 5, 0]));
  await edits(count + 1);
  await until(page, () => !window.pliant.tools.state().busy);
  check(String(await chosen()) === "wireframe,true" && (await state(page)).look === "wireframe", "and a scene that is built anew keeps it");
  await unfold(page);
  await page.locator('[data-control="axes and scale"] input').click();
  await page.keyboard.press(" ");
  await until(page, () => window.pliant.state().paused);
  check((await shown(page, "axes and scale")) === "true", "space pauses although a box was clicked last");
  check(page.complaints.length === 0, `the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);
  await page.close();
  await server.stop();
}

async function testTwoPagesAndRestart() {
  let server = await serve("tree", scenes.tree);
  const first = await look(server.url, { width: 320, height: 240 });
  const second = await look(server.url, { width: 300, height: 420 });
  check((await state(first)).steering && !(await state(second)).steering, "of two pages the first steers");
  await second.evaluate(() => window.pliant.pause(true));
  await second.waitForTimeout(500);
  check(!(await state(first)).paused, "the other cannot pause");
  await second.getByRole("button", { name: "steer from this page" }).click();
  await until(second, () => window.pliant.state().steering);
  await second.evaluate(() => window.pliant.pause(true));
  await until(first, () => window.pliant.state().paused && !window.pliant.state().steering);
  check(true, "until it takes over");
  await second.evaluate(() => window.pliant.pause(false));
  await second.evaluate(() => window.pliant.detach(0, 2));
  await until(first, () => Math.min(...window.pliant.positions(0).filter((_, i) => i % 3 === 2)) < -1);
  check(true, "a detached domain falls, on both pages");
  await shoot(second, "test-phone");

  const { port } = server;
  const { session } = await state(first);
  await server.stop();
  await until(first, () => window.pliant.state().link === "gone" && !document.getElementById("gone").hidden);
  check(/server is gone/.test(await first.textContent("#gone")), "the page says that the server is gone");
  await shoot(first, "test-gone");
  server = await serve("tree", scenes.tree, "--port", port);
  await until(first, (old) => window.pliant.state().link === "open" && window.pliant.state().session !== old && window.pliant.state().step >= 0, session);
  const drawn = (await state(first)).drawn;
  await until(first, (count) => window.pliant.state().drawn > count + 2 && document.getElementById("gone").hidden, drawn);
  check(true, "and comes back when the server does");
  await first.close();
  await second.close();
  await server.stop();
}

await run(async () => {
  for (const [name, ...options] of [["modal"], ["modal", "--half"], ["tree"], ["tree", "--half"], ["full"]])
    await testModel(name, ...options);
  await testHand();
  await testEdits();
  await testPanel();
  await testTwoPagesAndRestart();
});
