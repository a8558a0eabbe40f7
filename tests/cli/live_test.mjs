// The real command in a real browser:
//   node live_test.mjs --heddle FILE --chromium FILE --web FOLDER --out DIR
// FOLDER is web/ with its packages installed. Leaves screenshots in DIR; exit code 1 if a check fails.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: { heddle: { type: "string" }, chromium: { type: "string" }, web: { type: "string" }, out: { type: "string" } },
});
const { check, finishChecks, foreground, frameNumber, launchBrowser, newLook, openPage, settled, until } = await import(
  pathToFileURL(resolve(options.web, "tests/browser.mjs"))
);
const heddle = resolve(options.heddle);
const out = resolve(options.out);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const kMesh = { type: "grid", size: [0.6, 0.6], resolution: [25, 25] };

function writeScene(name, scene) {
  writeFileSync(join(out, name), JSON.stringify(scene, null, 2));
  return join(out, name);
}

const drape = (duration) => ({
  title: "A cloth falls on a ball",
  duration,
  cloths: [{ name: "cloth", mesh: kMesh, translation: [0, 0, 0.22], fabric: "silk" }],
  obstacles: [{ name: "ball", shape: { type: "sphere", radius: 0.2 } }],
});

/** A cloth that hangs from two corners in a wind that turns all the time. */
function curtain() {
  const times = Array.from({ length: 1200 }, (_, i) => i / 2);
  const values = times.map((_, i) => [0, i % 2 ? 2 : -2, 0]);
  return {
    title: "A curtain",
    duration: 600,
    cloths: [
      {
        name: "cloth",
        mesh: kMesh,
        rotation: [90, 0, 0],
        fabric: "silk",
        pins: [{ vertices: { nearest: [[-0.3, 0, 0.3], [0.3, 0, 0.3]] } }],
      },
    ],
    forces: [{ type: "wind", velocity: { times, values } }],
  };
}

/** Starts the command and waits for the address that it prints. */
async function serve(args) {
  const child = spawn(heddle, args, { cwd: out, stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => child.kill("SIGKILL"));
  let said = "";
  const ended = new Promise((done) => child.on("exit", (code) => done(code)));
  const url = await new Promise((found, failed) => {
    child.on("exit", (code) => failed(new Error(`heddle ${args.join(" ")} ended with ${code}`)));
    child.stdout.on("data", (data) => {
      said += data;
      const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
      if (match) found(match[0]);
    });
  });
  return { url, ended, stop: () => (child.kill("SIGINT"), ended) };
}

/** Bytes before the first object of a frame, and before its arrays; see apps/server/wire.h. */
const kFrameHeader = 32;
const kObjectHeader = 32;

/** The newest frame that the server knows: its number and the cloth's positions (m). */
async function newestFrame(url) {
  const { frames } = await (await fetch(`${url}api/frames`)).json();
  const view = new DataView(await (await fetch(`${url}api/frame/${frames.at(-1)}`)).arrayBuffer());
  const at = (i) => view.getFloat32(kFrameHeader + kObjectHeader + 4 * i, true);
  return {
    frame: Number(view.getBigInt64(16, true)),
    vertices: view.getUint32(kFrameHeader + 4, true),
    position: (v) => [at(3 * v), at(3 * v + 1), at(3 * v + 2)],
  };
}

const distance = (a, b) => Math.hypot(...a.map((c, i) => c - b[i]));

/** Opens the page and listens to what it says to the simulation. */
async function openLive(context, url) {
  const sent = [];
  context.once("page", (page) =>
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => sent.push(JSON.parse(String(payload)))),
    ),
  );
  return { page: await openPage(context, url), sent };
}

async function testGrab(page, url, sent) {
  const box = await page.locator("canvas.stage").boundingBox();
  const [x, y] = [box.x + 0.5 * box.width, box.y + 0.5 * box.height];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 60, { steps: 8 });
  await page.waitForTimeout(300);
  const grabs = sent.filter(({ type }) => type === "grab");
  check(grabs.length > 1, "the page asks for the vertex under the pointer");
  if (grabs.length === 0) return;
  const { object, vertex, target } = grabs.at(-1);
  check(object === 0 && vertex >= 0 && vertex < (await newestFrame(url)).vertices, "it is a vertex of the cloth");
  check(distance(grabs[0].target, target) > 0.03, "the target moves with the pointer");
  const off = async () => distance((await newestFrame(url)).position(vertex), target);
  await until(async () => (await off()) < 0.005, "the vertex arrives at the pointer");
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(out, "live-grab.png") });
  await page.mouse.up();
  await until(() => sent.some(({ type }) => type === "release"), "the page releases the vertex");
  await until(async () => (await off()) > 0.03, "the released vertex swings away");
}

async function testLive(context) {
  const run = await serve(["run", writeScene("curtain.json", curtain()), "-o", "live", "--live", "--port", "0"]);
  const { page, sent } = await openLive(context, run.url);
  await until(async () => (await foreground(page)).share > 0.02, "the cloth of a live run is visible");
  await until(async () => (await frameNumber(page)) > 10, "the page follows the run");
  await page.screenshot({ path: join(out, "live.png") });
  const before = (await newestFrame(run.url)).position(300);
  await until(async () => distance((await newestFrame(run.url)).position(300), before) > 0.005, "the cloth moves");
  const look = JSON.stringify(await foreground(page));
  await until(async () => JSON.stringify(await foreground(page)) !== look, "and is seen to move");

  await page.getByRole("button", { name: /Pause the simulation/ }).click();
  const paused = await settled(() => frameNumber(page));
  await page.getByRole("button", { name: /One step/ }).click();
  await until(async () => (await frameNumber(page)) === paused + 1, "one step shows the next frame");
  check((await settled(() => frameNumber(page))) === paused + 1, "and only that");
  await page.keyboard.press("Space");
  await until(async () => (await frameNumber(page)) > paused + 3, "the simulation goes on");

  await testGrab(page, run.url, sent);
  await page.close();
  check((await run.stop()) === 130, "Ctrl-C ends the live run well");
  const info = JSON.parse(spawnSync(heddle, ["info", "live", "--json"], { cwd: out }).stdout);
  check(info.status === "stopped" && info.frames > paused, "what was simulated is kept");
  check(info.grabbed_steps > 0, "the run tells that the cloth was held");
}

async function testFinishedLive(context) {
  const run = await serve(["run", writeScene("short.json", drape(0.4)), "-o", "short", "--live", "--port", "0"]);
  const page = await openPage(context, run.url);
  await until(async () => (await page.locator(".status").textContent()) === "finished", "the page learns of the end");
  await page.waitForTimeout(2500); // longer than the page waits before it asks for new frames
  check((await frameNumber(page)) === 10, "and stays on the last frame");
  check((await page.locator(".scrubber").inputValue()) === "10", "so does the scrubber");
  await page.keyboard.press("Home");
  await until(async () => (await frameNumber(page)) === 0, "from where all frames can be seen");
  await page.screenshot({ path: join(out, "live-finished.png") });
  await page.close();
  check((await run.stop()) === 0, "Ctrl-C ends a finished live run well");
}

async function testView(context) {
  const made = spawnSync(heddle, ["run", writeScene("view.json", drape(1)), "-o", "run"], { cwd: out });
  check(made.status === 0, "a run is made");
  const view = await serve(["view", "run", "--port", "0"]);
  const page = await openPage(context, view.url);
  await until(async () => (await foreground(page)).share > 0.02, "the cloth is visible");
  check((await page.title()).includes("A cloth falls on a ball"), "the title names the scene");
  const looks = new Set();
  for (const position of [0, 8, 25]) {
    await page.locator(".scrubber").fill(String(position));
    await until(async () => (await frameNumber(page)) === position, `scrubbing reaches frame ${position}`);
    await newLook(page, looks, `frame ${position} looks like no other`);
  }

  const colours = new Set();
  for (const mode of ["fabric", "weft", "warp", "shear", "speed"]) {
    await page.selectOption("#colour-mode", mode);
    await newLook(page, colours, `the colouring by ${mode} looks like no other`);
    await page.screenshot({ path: join(out, `view-${mode}.png`) });
  }

  const columns = readFileSync(join(out, "run/metrics.csv"), "utf8").split("\n")[0].split(",");
  const plotted = [];
  for (const group of await page.locator(".metrics select option").allTextContents()) {
    await page.locator(".metrics select").selectOption(group);
    plotted.push(...(await page.locator(".keys li").allTextContents()));
  }
  const plain = (text) => text.toLowerCase().replaceAll(/[^a-z]/g, "");
  const missing = columns.filter(
    (column) => !["frame", "time"].includes(column) && !plotted.some((label) => plain(label).includes(plain(column))),
  );
  check(missing.length === 0, `the plot has every column of the metrics; missing: ${missing}; plotted: ${plotted}`);
  await page.screenshot({ path: join(out, "view-metrics.png") });
  await page.close();
  check((await view.stop()) === 0, "Ctrl-C ends the view well");
}

const browser = await launchBrowser(options.chromium);
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
  await testView(context);
  // Without a graphics card a large picture takes too long to follow a running simulation.
  const small = await browser.newContext({ viewport: { width: 800, height: 500 }, colorScheme: "light" });
  await testLive(small);
  await testFinishedLive(context);
} finally {
  await browser.close();
}
process.exit(finishChecks());
