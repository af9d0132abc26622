// The page as somebody meets it who has never seen it: the gallery, waiting, the first drag, the six controls, looking back,
// what is remembered, keys, and screens of all sizes.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { check, folder, look, run, serve, set, shoot, shown, state, until } from "./browser.mjs";

const beam = (more = "", model = "modal", settings = "linear_modes = 4, modes = 8") => `# A beam swings. It is a small one.
[simulation]
dt = 0.01
duration = 1.0
gravity = [0, 0, -9.81]
damping = { mass = 1.0, stiffness = 0.004 }
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.12], cells = [8, 2, 2], element = "tet" }
material = { law = "stvk", young = 8e5, poisson = 0.3, density = 1000 }
look = { color = "#2040c0" }
fixed = ["x < 1e-6"]
model = { type = "${model}", ${settings} }
${more}`;
const bar = `# A bar in equilibrium, twisted by half a turn.
[simulation]
integrator = "static"
[[body]]
name = "bar"
generate = { shape = "box", size = [1, 0.2, 0.2], cells = [8, 2, 2], element = "hex" }
material = { law = "neohookean", young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
[[body.motion]]
where = "x > 1 - 1e-6"
rotate = { axis = [1, 0, 0], center = [1, 0.1, 0.1], t = [0, 1], degrees = [0, 60] }
`;
const floor = `
[contact]
friction = 0.5
[[obstacle]]
name = "floor"
shape = "plane"
position = [0, 0, -0.8]
`;

const examples = path.join(folder, "gallery");
mkdirSync(path.join(examples, "pictures"), { recursive: true });
writeFileSync(path.join(examples, "beam.toml"), beam());
writeFileSync(path.join(examples, "bar.toml"), bar);
writeFileSync(path.join(examples, "broken.toml"), "# A scene with a mistake.\n[simulation]\ndt = -1\n");
writeFileSync(path.join(examples, "gallery.txt"), "bar\nbeam\n");

const text = (page, where) => page.textContent(where);
const visible = (page, where) => page.isVisible(where);

/** Lowest point of a body, m. */
const lowest = (page) => page.evaluate(() => window.pliant.positions(0).reduce((low, x, i) => (i % 3 === 2 ? Math.min(low, x) : low), Infinity));
/** Waits until a body has moved away from a height by a share of the size. */
const moves = (page, from) => until(page, (z) => {
  const now = window.pliant.positions(0).reduce((low, x, i) => (i % 3 === 2 ? Math.min(low, x) : low), Infinity);
  return Math.abs(now - z) > 0.005 * window.pliant.state().size;
}, from);
const silent = (page, what) => check(page.complaints.length === 0, `${what}: the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);

async function testGallery() {
  const server = await serve("none", null, "--examples", examples);
  const page = await look(server.url, { width: 900, height: 600 }, 0);
  await page.waitForSelector("#gallery .scene");
  const cards = await page.locator("#gallery .scene").allTextContents();
  check(cards.length === 3 && cards[0].includes("bar") && cards[1].includes("A beam swings.") && !cards[1].includes("small"), `without a scene the gallery shows what there is, in its order (${cards.join(" | ")})`);
  check(!(await visible(page, "#panel")) && !(await visible(page, "#bar")) && !(await visible(page, "#gallery .close")), "and nothing that is of no use yet");
  await shoot(page, "gallery");
  await page.locator("#gallery .scene", { hasText: "mistake" }).click();
  await until(page, () => /dt|simulation/.test(document.getElementById("toasts").textContent));
  await page.waitForSelector("#gallery:not([hidden])");
  check(true, "a scene that cannot be built says why, and the gallery is there again");
  await page.locator("#gallery .scene", { hasText: "A beam" }).click();
  await until(page, () => window.pliant.state().drawn > 2);
  check(!(await visible(page, "#gallery")) && !(await visible(page, "#building")) && (await state(page)).scene === "beam", "a click opens a scene");
  check(await visible(page, "#hint"), "a hint says what to do first");
  const first = await state(page);
  await page.keyboard.press("o");
  check(await visible(page, "#gallery .close"), "the gallery opens again, with a way back");
  await page.keyboard.press("Escape");
  check(!(await visible(page, "#gallery")), "Escape goes back to the scene");
  await page.getByRole("button", { name: "open another scene" }).click();
  await page.locator("#gallery .scene", { hasText: "equilibrium" }).click();
  await until(page, (old) => window.pliant.state().scene === "bar" && window.pliant.state().session !== old && window.pliant.state().time >= 1, first.session);
  check(true, "and another scene takes its place");
  await until(page, () => /in equilibrium/.test(document.getElementById("hud").textContent));
  check((await shown(page, "play speed")) === undefined && (await shown(page, "damping")) === undefined, "a static scene offers nothing that would do nothing");
  const before = await lowest(page);
  await set(page, "gravity", 25);
  await set(page, "stiffness", "50 kPa");
  await until(page, () => window.pliant.state().edits.length === 2 && window.pliant.state().time >= 1 && window.pliant.state().paused);
  check(Math.abs((await lowest(page)) - before) > 0.01, "gravity and stiffness find another equilibrium");
  silent(page, "gallery");
  await page.close();
  check((await server.stop()) === 0, "the server ends with exit code 0");
}

/** A body that takes long to build. */
async function testWaiting() {
  const long = beam("", "modal", "linear_modes = 40, modes = 120").replace("cells = [8, 2, 2]", "cells = [70, 24, 20]");
  const server = await serve("long", long);
  const page = await look(server.url, { width: 700, height: 500 }, 0);
  await page.waitForSelector("#building:not([hidden])");
  await until(page, () => document.querySelector("#building p").textContent.length > 3);
  check(/long/.test(await text(page, "#building")), `the page tells what it waits for (${await text(page, "#building")})`);
  const begin = Date.now();
  check((await server.stop()) === 0 && Date.now() - begin < 8000, `Ctrl-C ends a build (after ${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  await page.close();
  const again = await serve("long", long);
  const other = await look(again.url, { width: 700, height: 500 }, 0);
  await other.waitForSelector("#building:not([hidden])");
  await other.locator("#building button").click();
  await until(other, () => document.getElementById("building").hidden && !document.getElementById("gallery").hidden);
  check(true, "a build can be cancelled on the page, which then offers the gallery");
  await other.close();
  await again.stop();
}

async function testFirstSteps() {
  const server = await serve("beam", beam());
  const page = await look(server.url, { width: 1000, height: 700 });
  check((await state(page)).floor === null, "a scene without a floor shows none");
  // everything lies in the free part
  await page.evaluate(() => window.pliant.pause());
  await until(page, () => window.pliant.state().paused && !window.pliant.state().fresh);
  await page.keyboard.press("v");
  await page.waitForTimeout(300);
  const out = await page.evaluate(() => {
    const panel = document.getElementById("panel").getBoundingClientRect();
    const x = window.pliant.positions(0);
    let count = 0;
    for (let p = 0; p < x.length / 3; p++) {
      const [u, v] = window.pliant.tools.screen([x[3 * p], x[3 * p + 1], Math.max(x[3 * p + 2], 0)]);
      if (u < 0 || v < 0 || u > panel.left || v > innerHeight) count++;
    }
    return count;
  });
  check(out === 0, `v shows the body beside the settings (${out} points outside)`);
  await page.waitForTimeout(1500);
  const words = await text(page, "#hud");
  check(/fps–/.test(words) && /states–/.test(words) && !/60/.test(words), "a page that stands still claims no rates");
  check(!(await visible(page, "#plots")), "plots are off at first");
  await page.keyboard.press("p");
  check(await visible(page, "#plots") , "p shows them");
  await page.evaluate(() => window.pliant.step(20));
  await until(page, () => window.pliant.state().paused && window.pliant.state().kept > 3);
  await page.waitForTimeout(300);
  await page.locator("#plots button", { hasText: "CSV" }).click();
  check(true, "and they can be kept as a table");
  await page.keyboard.press("p");

  // under the mouse
  const spot = await page.evaluate(() => {
    for (let y = 40; y < innerHeight - 120; y += 6)
      for (let x = 40; x < innerWidth - 340; x += 6)
        if ([[0, 0], [5, 0], [-5, 0], [0, 5], [0, -5]].every(([u, v]) => window.pliant.pick(x + u, y + v)) && document.elementFromPoint(x, y)?.id === "stage") return { x, y };
    return null;
  });
  check(spot !== null, "the body can be found on the canvas");
  await page.mouse.move(spot.x - 3, spot.y);
  await page.waitForTimeout(150);
  await page.mouse.move(spot.x, spot.y);
  await until(page, () => document.getElementById("stage").style.cursor === "grab");
  check(true, "over a body the mouse is a hand");
  await page.evaluate(() => window.pliant.pause(false));
  await page.mouse.down();
  for (let i = 1; i <= 10; i++) await page.mouse.move(spot.x, spot.y - 8 * i);
  await until(page, () => window.pliant.state().pulling);
  await until(page, () => /\d N · moved \d|\d.*N.*moved.*m/.test(document.getElementById("readout").textContent));
  check(!(await visible(page, "#hint")), `the first drag ends the hint; force and displacement are told (${await text(page, "#readout")})`);
  await shoot(page, "first-drag");
  await page.mouse.up();
  await until(page, () => document.getElementById("readout").hidden);

  // the six controls
  const calm = await lowest(page);
  await set(page, "gravity", 1);
  await moves(page, calm);
  check(Math.abs((await state(page)).gravity[2] + 1) < 1e-6, "gravity is set in m/s², in its direction");
  await set(page, "gravity", 9.81);
  await page.waitForTimeout(800);
  const sag = await lowest(page);
  await set(page, "as stiff as", "rubber, 2 MPa");
  await until(page, () => document.querySelector(`[data-control="stiffness"]`).dataset.value === "2000000" && document.querySelector(`[data-control="as stiff as"]`).dataset.value === "rubber, 2 MPa");
  check(true, "stiffness has presets");
  await set(page, "stiffness", "3 MPa");
  await until(page, () => document.querySelector(`[data-control="as stiff as"]`).dataset.value === "something else");
  await moves(page, sag);
  await set(page, "damping", 3);
  await until(page, () => window.pliant.state().edits.some((edit) => /damping 3/.test(edit.text)));
  await set(page, "play speed", 0.5);
  await until(page, () => window.pliant.state().speed === 0.5);
  check(true, "damping and pace are set");
  await set(page, "model", "full");
  await until(page, () => window.pliant.state().bodies[0].model === "full" && window.pliant.state().drawn > 0);
  check((await state(page)).healthy, "the model is switched while the scene runs");
  await set(page, "model of the ghost", "modal");
  await until(page, () => window.pliant.state().bodies.length === 2 && window.pliant.state().bodies[1].model === "modal");
  const dofs = await text(page, "#hud");
  check(/full · \d+ degrees of freedom.*ghost: modal · 8 degrees/.test(dofs), `a ghost is switched on, and counted apart (${dofs.slice(0, 90)})`);
  await set(page, "model of the ghost", "none");
  await until(page, () => window.pliant.state().bodies.length === 1);
  check(true, "and off");

  // looking back
  await until(page, () => window.pliant.state().kept > 5);
  const live = await state(page);
  await page.evaluate(() => window.pliant.lookBack(0));
  await until(page, () => window.pliant.state().lookingBack && window.pliant.state().paused && !window.pliant.state().fresh);
  check(/t = /.test(await text(page, "#timeline")) && (await state(page)).step >= live.step, "the page looks back, the simulation waits where it is");
  await page.keyboard.press("Escape");
  await until(page, () => !window.pliant.state().lookingBack);
  check(true, "Escape comes back to the present");

  // keys
  await page.evaluate(() => window.pliant.pause(false));
  await until(page, () => !window.pliant.state().paused);
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "help" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press(" ");
  check((await visible(page, "#help")) && !(await state(page)).paused, "Space presses a button that has the focus");
  await page.keyboard.press("Escape");
  check(!(await visible(page, "#help")), "Escape closes the help");

  // remembered
  await page.evaluate(() => {
    window.pliant.frameAll("top");
    window.pliant.look("wireframe");
  });
  const { view } = await state(page);
  const link = await page.evaluate(() => window.pliant.link());
  await page.reload();
  await until(page, () => window.pliant?.state().drawn > 1);
  const again = await state(page);
  check(again.look === "wireframe" && again.view.every((x, i) => Math.abs(x - view[i]) < 1e-3), "camera and look outlive a reload");
  check(!(await visible(page, "#hint")), "who has dragged before gets no hint");
  const other = await look(link, { width: 500, height: 400 });
  const linked = await state(other);
  check(linked.look === "wireframe" && linked.view.every((x, i) => Math.abs(x - view[i]) < 1e-2), "a link has them, too");
  for (let i = 0; i < 4; i++) await other.evaluate(() => window.pliant.setGravity([0, 0, -1]));
  await other.waitForTimeout(400);
  check((await other.locator(".toast", { hasText: "another page steers" }).count()) <= 2, "equal notices are told once");
  await other.close();
  silent(page, "first steps");
  await page.close();
  await server.stop();
}

async function testFloorAndFollowing() {
  const falling = beam(floor, "full", "").replace('fixed = ["x < 1e-6"]\n', "").replace('"full",  }', '"full" }');
  const server = await serve("floor", falling);
  const page = await look(server.url, { width: 640, height: 420 });
  await until(page, () => window.pliant.state().floor !== null);
  check(Math.abs((await state(page)).floor + 0.8) < 1e-6, "the floor is drawn where the scene has it");
  await page.evaluate(() => window.pliant.setView([0.5, -3, -5, 0.5, 0.1, 0]));
  await page.waitForTimeout(400);
  check((await state(page)).view[2] > -0.8, "the camera stays above it");
  silent(page, "floor");
  await page.close();
  await server.stop();

  const free = beam().replace('fixed = ["x < 1e-6"]\n', "");
  const second = await serve("free", free);
  const other = await look(second.url, { width: 640, height: 420 });
  await until(other, () => window.pliant.state().time > 2);
  const place = await other.evaluate(() => window.pliant.project(0, 0));
  check(place[1] > -100 && place[1] < 520, `the view follows a body that falls out of it (${place.map(Math.round)})`);
  await other.close();
  await second.stop();
}

/** Boxes that lie over one another, or beyond the screen. */
const clashes = (page) => page.evaluate(() => {
  const boxes = ["hud", "panel", "bar", "timeline", "hint"].map((id) => [id, document.getElementById(id)])
    .filter(([, one]) => one && !one.hidden && getComputedStyle(one).visibility !== "hidden" && one.getBoundingClientRect().width > 0)
    .map(([id, one]) => [id, one.getBoundingClientRect()]);
  const found = [];
  for (const [id, box] of boxes) if (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1) found.push(`${id} beyond the screen`);
  boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
    if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1) found.push(`${a} over ${b}`);
  }));
  return found;
});

async function testScreens() {
  const server = await serve("screens", beam(), "--paused");
  for (const [width, height] of [[1440, 900], [1000, 700], [700, 900], [390, 844], [320, 640]]) {
    const page = await look(server.url, { width, height }, 1);
    await page.waitForTimeout(200);
    const found = await clashes(page);
    check(found.length === 0, `${width} × ${height}: nothing lies over another ${found.join(", ")}`);
    await shoot(page, `screen-${width}`);
    if (width === 390) {
      await page.setViewportSize({ width: height, height: width });
      await page.waitForTimeout(300);
      const seen = await page.evaluate(() => [[0, 0, 0], [1, 0.2, 0.12]].every((p) => {
        const [x, y] = window.pliant.tools.screen(p);
        return x > 0 && y > 0 && x < innerWidth && y < innerHeight;
      }));
      check(seen, "a phone that is turned shows all of the body");
    }
    silent(page, `${width}`);
    await page.close();
  }
  await server.stop();
  const secret = await serve("token", beam(), "--token", "a-long-secret");
  const page = await look(secret.url.replace("a-long-secret", "wrong"), { width: 700, height: 500 }, 0);
  await until(page, () => !document.getElementById("gone").hidden && /refuses/.test(document.getElementById("gone").textContent));
  const empty = await page.evaluate(() => ["hud", "panel", "plots", "bar", "timeline"].filter((id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  }));
  check(empty.length === 0, `a wrong token says so, and shows no empty cards ${empty}`);
  await page.close();
  await secret.stop();
}

await run(async () => {
  await testGallery();
  await testWaiting();
  await testFirstSteps();
  await testFloorAndFollowing();
  await testScreens();
});
