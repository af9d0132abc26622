// What the tests in a real browser have in common: the real program behind a real page, and a count of problems.
//
// usage of each: node TEST.mjs PLIANT FOLDER [SCREENSHOTS]     exit 77: skipped, because there is no browser
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const [program, folder, pictures] = process.argv.slice(2);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

function skip(why) {
  console.log(`SKIPPED: the page is NOT tested: ${why}`);
  process.exit(77);
}
let chromium;
try {
  ({ chromium } = createRequire(path.join(root, "page/package.json"))("playwright-core"));
} catch {
  skip("playwright-core is not there (npm ci in page/)");
}
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => existsSync(file));
if (!executablePath) skip("there is no chromium");

const problems = [];
export function check(fine, what) {
  console.log(`${fine ? "ok    " : "FAILED"} ${what}`);
  if (!fine) problems.push(what);
}

const running = new Set();
/** The program on a port of its own, or on a given one; `scene` is the text of its file, null: the gallery. */
export async function serve(name, scene, ...options) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.toml`);
  if (scene !== null) writeFileSync(file, scene);
  const child = spawn(program, ["view", ...(scene === null ? [] : [file]), "--quiet", "--no-cache", ...options]);
  running.add(child);
  child.on("exit", () => running.delete(child));
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(text.split("\n")[0]);
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  });
  return {
    url, port: new URL(url).port,
    /** Its exit code. */
    stop: () => new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.on("exit", (code) => {
        running.delete(child);
        resolve(code);
      });
      child.kill("SIGINT");
    }),
  };
}

const browser = await chromium.launch({
  executablePath, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

export const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: 120000, polling: 50 });
export const state = (page) => page.evaluate(() => window.pliant.state());

/** A page that has drawn some frames, and collects what the console complains of; `before` runs in it first of all. */
export async function look(url, viewport = { width: 640, height: 420 }, frames = 3, before = () => {}) { // software draws: the fewer pixels the sooner
  const page = await browser.newPage({ viewport });
  await page.addInitScript(before);
  page.complaints = [];
  page.on("console", (message) => {
    // the driver's own remarks on reading pixels back are none of ours
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text()))
      page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  if (process.env.PLIANT_PAGE_DIST) // while the page is being written: its newest build instead of the program's
    await page.route(/page\.(js|css)/, (route) => {
      const file = path.join(process.env.PLIANT_PAGE_DIST, new URL(route.request().url()).pathname);
      const type = { ".js": "text/javascript", ".css": "text/css" }[path.extname(file)];
      return route.fulfill({ body: readFileSync(file), contentType: type });
    });
  await page.goto(url, { waitUntil: "commit", timeout: 120000 });
  await until(page, (n) => window.pliant?.state().drawn >= n, frames);
  return page;
}

/** What a control of the settings shows, by its label: a number, a choice, "true" or "false". */
export const shown = (page, label) => page.evaluate((name) => document.querySelector(`[data-control="${CSS.escape(name)}"]`)?.dataset.value, label);

/** Sets a number (as typed) or a choice (by its words) there, as people would. */
export const set = (page, label, value) => page.evaluate(([name, to]) => {
  const row = document.querySelector(`[data-control="${CSS.escape(name)}"]`);
  const select = row.querySelector("select");
  if (select) {
    select.selectedIndex = [...select.options].findIndex((option) => option.textContent === to);
    select.dispatchEvent(new Event("change"));
    return;
  }
  const input = row.querySelector("input.value, input[type=checkbox]");
  if (input.type === "checkbox") return void input.click();
  input.value = to;
  input.dispatchEvent(new Event("change"));
}, [label, String(value)]);

/** Opens all parts of the settings. */
export const unfold = (page) => page.evaluate(() => document.querySelectorAll("#panel details").forEach((group) => (group.open = true)));

/** A picture for people, where they asked for some. */
export function shoot(page, name) {
  if (!pictures) return undefined;
  mkdirSync(pictures, { recursive: true });
  return page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

/** Runs the test to its end, whatever happens, and ends with exit code 1 if there were problems. */
export async function run(test) {
  try {
    await test();
  } catch (error) {
    console.log(`FAILED ${error.stack ?? error}`);
    problems.push(String(error));
  } finally {
    await browser.close();
    for (const child of running) child.kill("SIGKILL");
  }
  console.log(`${problems.length} problems`);
  process.exit(problems.length > 0 ? 1 : 0);
}
