// A soft cube (0.1 m, 1 kg, E = 1e5 Pa, nu = 0.3) that falls on a plane (mu = 0.5) in steps of 1/240 s: Pliant's `modal` beside MuJoCo
// and Rapier. Ten starts that differ by a little; of each the deepest penetration, the speed that is left after 2 s, and the
// time per step.
//
//   node bench/peers/soft_cube.mjs [build/bin/pliant]
//
// The peers come from npm into a folder that is removed afterwards; nothing of them belongs to Pliant's build. Rapier has no
// elastic solids: there the cube is a lattice of balls with springs as stiff as the material along edges and diagonals.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const STARTS = 10, DT = 1 / 240, STEPS = 480, SIZE = 0.1, CELLS = 6, YOUNG = 1e5, POISSON = 0.3, DROP = 0.05, MU = 0.5;
const PACKAGES = ["@mujoco/mujoco@3.14.0", "@dimforge/rapier3d-compat@0.21.0"];
const pliant = resolve(process.argv[2] ?? "build/bin/pliant");
const folder = process.env.PEERS ?? mkdtempSync(join(tmpdir(), "peers-"));

/** Time of the processor that this process has used, us: what others do on the machine does not count. */
const spentNow = () => {
  const used = process.cpuUsage();
  return used.user + used.system;
};
/** The start of run k: turns about x and y in degrees. */
const tilt = (k) => [17 + 1.3 * k, 11 - 0.9 * k];
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

function runPliant(k) {
  const [a, b] = tilt(k);
  const scene = join(folder, `cube${k}.toml`);
  writeFileSync(scene, `[simulation]
dt = ${DT}
duration = ${STEPS * DT}
gravity = [0, 0, -9.81]
damping = { stiffness = 0.002 }
[contact]
friction = ${MU}
[[obstacle]]
name = "floor"
shape = "plane"
[[body]]
name = "cube"
generate = { shape = "box", size = [${SIZE}, ${SIZE}, ${SIZE}], cells = [${CELLS}, ${CELLS}, ${CELLS}] }
transform = { translate = [0, 0, ${DROP}], rotate = [${a}, ${b}, 0] }
material = { law = "stvk", young = ${YOUNG}, poisson = ${POISSON}, density = 1000 }
model = { type = "modal", linear_modes = 8, modes = 20 }
`);
  const run = JSON.parse(execFileSync(pliant, ["run", scene, "--json", "--quiet", "--threads", "1", "--cache", join(folder, "cache")], { maxBuffer: 1 << 28 }).toString());
  if (!run.healthy) throw new Error(`pliant failed: ${run.failure.reason}`);
  const kinetic = run.energy.kinetic.at(-1);
  return { depth: Math.max(...run.contacts.penetration), jitter: Math.sqrt(2 * kinetic), us: run.step_us.mean };
}

/** Corner (0, 0, 0) of the cube is the centre of its turns, as in Pliant. */
function lattice(k) {
  const [a, b] = tilt(k).map((degrees) => (degrees * Math.PI) / 180);
  const list = [];
  for (let z = 0; z <= CELLS; z++)
    for (let y = 0; y <= CELLS; y++)
      for (let x = 0; x <= CELLS; x++) {
        const p = [x, y, z].map((c) => (c * SIZE) / CELLS);
        const q = [p[0], p[1] * Math.cos(a) - p[2] * Math.sin(a), p[1] * Math.sin(a) + p[2] * Math.cos(a)];
        list.push([q[0] * Math.cos(b) + q[2] * Math.sin(b), q[1], -q[0] * Math.sin(b) + q[2] * Math.cos(b)]);
      }
  const low = Math.min(...list.map((p) => p[2]));
  return list.map((p) => [p[0], p[1], p[2] - low + DROP]);
}

function runMujoco(mujoco, k) {
  const points = lattice(0 * k).length, [a, b] = tilt(k);
  const step = SIZE / CELLS, radius = 1e-4;
  const xml = `<mujoco><option timestep="${DT}" gravity="0 0 -9.81" integrator="discrete" solver="CG" tolerance="1e-8"/>
  <size memory="200M"/>
  <worldbody><geom type="plane" size="2 2 .1" friction="${MU} 0 0"/>
  <flexcomp name="cube" type="grid" dim="3" count="${CELLS + 1} ${CELLS + 1} ${CELLS + 1}" spacing="${step} ${step} ${step}"
    pos="0 0 ${DROP + 0.075}" euler="${a} ${b} 0" mass="1" radius="${radius}">
    <elasticity young="${YOUNG}" poisson="${POISSON}" damping="0.002"/><contact friction="${MU} 0 0" selfcollide="none" internal="false"/>
  </flexcomp></worldbody></mujoco>`;
  const model = mujoco.MjModel.from_xml_string(xml), data = new mujoco.MjData(model);
  let depth = 0;
  let spent = 0;
  for (let i = 0; i < STEPS; i++) {
    const t = spentNow();
    mujoco.mj_step(model, data);
    spent += spentNow() - t;
    const x = data.flexvert_xpos;
    for (let p = 0; p < points; p++) depth = Math.max(depth, -x[3 * p + 2]);
  }
  let kinetic = 0;
  const v = data.qvel;
  for (let i = 0; i < v.length; i++) kinetic += (0.5 * v[i] * v[i]) / points;
  data.delete();
  model.delete();
  return { depth, jitter: Math.sqrt(2 * kinetic), us: spent / STEPS };
}

function runRapier(RAPIER, k) {
  const world = new RAPIER.World({ x: 0, y: 0, z: -9.81 });
  world.timestep = DT;
  world.createCollider(RAPIER.ColliderDesc.halfspace ? RAPIER.ColliderDesc.halfspace({ x: 0, y: 0, z: 1 }) : RAPIER.ColliderDesc.cuboid(2, 2, 0.5).setTranslation(0, 0, -0.5)).setFriction(MU);
  const places = lattice(k), n = CELLS + 1, mass = 1 / places.length, radius = 1e-3, step = SIZE / CELLS;
  const bodies = places.map(([x, y, z]) => {
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z + radius).lockRotations().setCcdEnabled(true).setCanSleep(false));
    world.createCollider(RAPIER.ColliderDesc.ball(radius).setMass(mass).setFriction(MU).setCollisionGroups(0x00010002), body);
    return body;
  });
  for (let c = 0; c < world.colliders.len(); c++) if (c === 0) world.getCollider(0)?.setCollisionGroups(0x0002ffff);
  const at = (x, y, z) => bodies[x + n * (y + n * z)];
  const joined = (p, q, length) => {
    const k1 = (YOUNG * step * step) / length / 2;
    world.createImpulseJoint(RAPIER.JointData.spring(length, k1, 0.002 * k1, { x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }), p, q, true);
  };
  const ways = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]];
  for (let z = 0; z < n; z++)
    for (let y = 0; y < n; y++)
      for (let x = 0; x < n; x++)
        for (const [i, j, l] of ways) {
          const to = [x + i, y + j, z + l];
          if (to.every((c) => c >= 0 && c < n)) joined(at(x, y, z), at(...to), step * Math.hypot(i, j, l));
        }
  let depth = 0, spent = 0;
  for (let i = 0; i < STEPS; i++) {
    const t = spentNow();
    world.step();
    spent += spentNow() - t;
    for (const body of bodies) depth = Math.max(depth, radius - body.translation().z);
  }
  let kinetic = 0;
  for (const body of bodies) {
    const v = body.linvel();
    kinetic += 0.5 * mass * (v.x * v.x + v.y * v.y + v.z * v.z);
  }
  world.free();
  return { depth, jitter: Math.sqrt(2 * kinetic), us: spent / STEPS };
}

async function main() {
  if (!process.env.PEERS)
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder, ...PACKAGES], { stdio: "inherit" });
  const from = (file) => import(pathToFileURL(join(folder, "node_modules", file)).href);
  const rapierFolder = join(folder, "node_modules/@dimforge/rapier3d-compat");
  const entry = JSON.parse(readFileSync(join(rapierFolder, "package.json"), "utf8"));
  const mujoco = await (await from("@mujoco/mujoco/mujoco.js")).default();
  const rapier = await from(join("@dimforge/rapier3d-compat", entry.module ?? entry.main ?? "rapier.es.js"));
  const RAPIER = rapier.default ?? rapier;
  await RAPIER.init();
  const peers = [["pliant modal", runPliant], ["mujoco flex", (k) => runMujoco(mujoco, k)], ["rapier springs", (k) => runRapier(RAPIER, k)]];
  console.log("starts".padEnd(16) + "penetration/mm   jitter/(mm/s)    us per 1/240 s   (median; worst)");
  let fine = true;
  for (const [name, run] of peers) {
    const rows = [];
    for (let k = 0; k < STARTS; k++) rows.push(run(k));
    const cell = (key, scale) => `${(scale * median(rows.map((r) => r[key]))).toPrecision(3)}; ${(scale * Math.max(...rows.map((r) => r[key]))).toPrecision(3)}`.padEnd(17);
    console.log(name.padEnd(16) + cell("depth", 1e3) + cell("jitter", 1e3) + cell("us", 1));
    if (name === "pliant modal")
      for (const row of rows) {
        const pass = row.depth <= 3e-4 && row.jitter <= 1e-9 && row.us <= 100;
        if (!pass) console.log(`  not met: ${JSON.stringify(row)}`);
        fine = fine && pass;
      }
  }
  console.log(fine ? "Pliant's ten starts: penetration <= 0.3 mm, jitter <= 1e-6 mm/s, <= 100 us: ten passes" : "Pliant's ten starts: NOT all passed");
  process.exitCode = fine ? 0 : 1;
}

try {
  await main();
} finally {
  if (!process.env.PEERS) rmSync(folder, { recursive: true, force: true });
}
