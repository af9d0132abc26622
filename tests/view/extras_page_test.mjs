// Colours, modes, ghosts and recordings in a real browser against the real server.
import { check, look as open, run, serve, shoot, until } from "./browser.mjs";

const scene = `
[simulation]
dt = 0.01
duration = 1.0
gravity = [0, 0, -9.81]
damping = { mass = 1.0, stiffness = 0.004 }
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.12], cells = [8, 2, 2], element = "tet" }
material = { law = "stvk", young = 4e5, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "modal", linear_modes = 2, modes = 3 }
`;

/** The canvas, small: sums of its colours. */
const colours = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const stage = document.getElementById("stage");
  const copy = document.createElement("canvas");
  copy.width = 200;
  copy.height = 130;
  const context = copy.getContext("2d");
  context.drawImage(stage, 0, 0, 200, 130);
  const { data } = context.getImageData(0, 0, 200, 130);
  let orange = 0, blue = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] > data[i + 2] + 40) orange++;
    if (data[i + 2] > data[i] + 25) blue++;
  }
  resolve({ orange, blue });
}))));

await run(async () => {
  const { url } = await serve("beam", scene, "--ghost", "full", "--paused");
  const page = await open(url, { width: 800, height: 520 }, 1);
  const bodies = (await page.evaluate(() => window.pliant.state())).bodies;
  check(bodies.length === 2 && bodies[0].model === "modal" && bodies[1].model === "full", "the ghost is a second body, of the other model");
  await page.evaluate(() => window.pliant.step(40));
  await until(page, () => window.pliant.state().step === 40 && !window.pliant.state().fresh);
  const apart = await page.evaluate(() => {
    const a = window.pliant.positions(0), b = window.pliant.positions(1);
    let worst = 0;
    for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
    return { same: a.length === b.length, worst };
  });
  check(apart.same && apart.worst > 1e-3 && apart.worst < 0.3, `it is near the body, not the same (${apart.worst.toFixed(3)} m apart)`);
  const over = await colours(page);
  await page.evaluate(() => window.pliant.ghost("hidden"));
  const alone = await colours(page);
  check(over.blue > alone.blue + 20 && alone.orange > 300, `the ghost can be seen and hidden (${over.blue} and ${alone.blue} blue pixels)`);
  await page.evaluate(() => window.pliant.ghost("beside"));
  const beside = await colours(page);
  check(beside.blue > 200 && beside.orange > 200, "and stand beside");
  await page.evaluate(() => window.pliant.ghost("hidden"));

  for (const look of ["displacement", "stress"]) {
    await page.evaluate((name) => window.pliant.look(name), look);
    await until(page, () => window.pliant.coloured());
    const painted = await colours(page);
    check(painted.orange < 0.8 * alone.orange && await page.isVisible("#legend"), `${look} colours the body, with a legend`);
    await shoot(page, `extras-${look}`);
  }
  await page.evaluate(() => window.pliant.look("surface"));
  check(!(await page.isVisible("#legend")), "which goes when the colours go");
  await page.evaluate(() => window.pliant.axes(true));
  check(/\d+ (m|cm)/.test(await page.textContent("#scale")), "the scale bar has a length");

  await page.evaluate(() => window.pliant.mode(0, 0));
  await until(page, () => window.pliant.showsMode());
  const first = await colours(page);
  let moved = 0;
  for (let i = 0; i < 10 && moved === 0; i++) {
    await page.waitForTimeout(150);
    const later = await colours(page);
    moved = Math.abs(later.orange - first.orange);
  }
  check(moved > 0, "a mode shape swings while the simulation is paused");
  await page.evaluate(() => window.pliant.mode(0, -1));
  check(!(await page.evaluate(() => window.pliant.showsMode())), "until it is told to stop");

  await page.evaluate(() => {
    window.pliant.record();
    window.pliant.step(20);
  });
  await until(page, () => window.pliant.state().step === 60 && window.pliant.state().paused);
  await page.reload();
  await until(page, () => window.pliant?.state().drawn > 0);
  const offered = async () => {
    await page.getByRole("button", { name: "save a picture" }).click();
    return page.locator("#save-menu button").allTextContents();
  };
  check((await offered()).includes("■ end the recording"), "the server says that it records, also to a page that is loaded anew");
  await page.locator("#save-menu button", { hasText: "end the recording" }).click();
  await until(page, () => window.pliant.recorded() !== null);
  check((await offered()).includes("recording (GLB)"), "and that it has ended");
  await page.locator("#save-menu button", { hasText: "film (WebM)" }).click();
  check((await offered()).includes("■ end the film"), "the menu says what it would do");
  await page.locator("#save-menu button", { hasText: "end the film" }).click();
  const magic = await page.evaluate(() => String.fromCharCode(...window.pliant.recorded().slice(0, 4)));
  check(magic === "glTF", "a recording is a glTF file");
  check(page.complaints.length === 0, `the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);
});
