// A body of coupled domains in a real browser against the real server: what is drawn is where it is; ghost, hand, anchor, keeping a
// state, and settings changed while it runs.
import { check, look, run, serve, shoot, state, until } from "./browser.mjs";

const scene = `
[simulation]
dt = 0.01
duration = 100
gravity = [0, 0, -9.81]
damping = { mass = 1.0, stiffness = 0.004 }
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.12], cells = [12, 2, 2], element = "tet" }
material = { law = "stvk", young = 8e5, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "coupled", modes = 20, domains = { auto = 3 } }
`;

/** How far points of one body are from the nearest ones of another, at most: they are numbered differently. */
const largest = (page, a, b) => page.evaluate(([i, j]) => {
  const x = window.pliant.positions(i), y = window.pliant.positions(j);
  let worst = 0;
  for (let k = 0; k < x.length; k += 3) {
    let nearest = Infinity;
    for (let l = 0; l < y.length; l += 3)
      nearest = Math.min(nearest, Math.hypot(x[k] - y[l], x[k + 1] - y[l + 1], x[k + 2] - y[l + 2]));
    worst = Math.max(worst, nearest);
  }
  return worst;
}, [a, b]);
/** The point at the free end. */
const tipOf = (page) => page.evaluate(() => {
  const x = window.pliant.positions(0);
  let tip = 0;
  for (let i = 0; i < x.length; i += 3) if (x[i] + 0.3 * x[i + 2] > x[tip] + 0.3 * x[tip + 2]) tip = i;
  return tip / 3;
});
const at = (page, point) => page.evaluate((p) => Array.from(window.pliant.positions(0).slice(3 * p, 3 * p + 3)), point);
async function stepTo(page, step) {
  await page.evaluate((to) => window.pliant.step(to - window.pliant.state().step), step);
  await until(page, (to) => window.pliant.state().step === to && !window.pliant.state().fresh, step);
  await page.waitForTimeout(200);
}

await run(async () => {
  const server = await serve("coupled", scene, "--ghost", "full", "--paused");
  const page = await look(server.url, { width: 760, height: 480 }, 1);
  for (const key of ["m", "p"]) await page.keyboard.press(key); // settings and plots would hide the body
  const { bodies, size } = await state(page);
  check(bodies[0].model === "coupled" && bodies[1].model === "full", "the ghost is the full model");
  await stepTo(page, 30);
  const truth = await page.evaluate(async () => (await window.pliant.serverPositions(0)).positions);
  const mine = await page.evaluate(() => Array.from(window.pliant.positions(0)));
  const worst = Math.max(...mine.map((v, i) => Math.abs(v - truth[i])));
  check(worst < 1e-5 * size, `the page draws the body where the server has it (${(worst / size).toExponential(1)} of the size)`);
  const apart = await largest(page, 0, 1);
  check(apart > 0 && apart < 0.02 * size, `the ghost is near it (${(100 * apart / size).toFixed(2)} % of the size)`);
  await shoot(page, "coupled-ghost");
  await page.evaluate(() => window.pliant.look("domains"));
  await page.waitForTimeout(300);
  await shoot(page, "coupled-domains");
  await page.evaluate(() => window.pliant.look("stress"));
  await until(page, () => window.pliant.coloured());
  await shoot(page, "coupled-stress");
  await page.evaluate(() => window.pliant.look("surface"));

  // the hand: both versions feel it
  const tip = await tipOf(page);
  const before = await at(page, tip);
  await page.evaluate((p) => window.pliant.pull(0, p, [0, 40, 60]), tip);
  await stepTo(page, 90);
  const pulled = await at(page, tip);
  check(pulled[1] - before[1] > 0.02 * size && pulled[2] - before[2] > 0.02 * size, `a pull moves its end (${pulled.map((v) => v.toFixed(3))})`);
  check((await largest(page, 0, 1)) < 0.1 * size, "and that of the ghost");
  await shoot(page, "coupled-hand");
  await page.evaluate(() => window.pliant.release());

  // ten times what it bears, to and fro: nothing breaks
  for (const force of [[900, 500, 900], [-900, 700, -400], [300, -900, 500]]) {
    await page.evaluate(([p, f]) => window.pliant.pull(0, p, f), [tip, force]);
    await stepTo(page, (await state(page)).step + 20);
  }
  check((await state(page)).bodies[0] && (await state(page)).healthy, "wild pulls leave it healthy");
  await shoot(page, "coupled-wild");
  await page.evaluate(() => window.pliant.release());
  await page.evaluate(() => window.pliant.reset());
  await until(page, () => window.pliant.state().step === 0);

  // the anchor
  await stepTo(page, 20);
  const [x, y] = await page.evaluate((p) => window.pliant.project(0, p), tip);
  const spot = await page.evaluate(([cx, cy]) => {
    for (let r = 0; r < 120; r += 3)
      for (const [dx, dy] of [[-1, 0], [-1, 1], [0, 1], [-1, -1], [0, -1]])
        if (window.pliant.pick(cx + r * dx, cy + r * dy) && document.elementFromPoint(cx + r * dx, cy + r * dy)?.id === "stage")
          return { x: cx + r * dx, y: cy + r * dy };
    return null;
  }, [x, y]);
  check(spot !== null, "the body can be picked");
  await page.evaluate(() => window.pliant.pause(false));
  await page.keyboard.down("Shift");
  await page.mouse.move(spot.x, spot.y);
  await page.mouse.down();
  for (let i = 1; i <= 10; i++) await page.mouse.move(spot.x, spot.y - 8 * i);
  await until(page, (d) => window.pliant.anchor(0)[2] > d, 0.05 * size);
  await shoot(page, "coupled-anchor");
  await page.mouse.up();
  await page.keyboard.up("Shift");
  check((await state(page)).healthy, "its anchor follows the mouse");
  check(page.complaints.length === 0, `the console is silent ${page.complaints.slice(0, 3).join(" | ")}`);
  await page.close();
  check((await server.stop()) === 0, "the server ends with exit code 0");
});
