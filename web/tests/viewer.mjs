// Looks at the viewer in a real browser:
//   node tests/viewer.mjs --chromium FILE --view-demo FILE --live-demo FILE --heddle FILE --tangled SCENE --out DIR
// Leaves screenshots in DIR; every check that fails is printed, and the exit code is then 1.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { check, finishChecks, foreground, frameNumber, launchBrowser, newLook, openPage, redShare, settled, until } from "./browser.mjs";

const { values: options } = parseArgs({
  options: {
    chromium: { type: "string" },
    "view-demo": { type: "string" },
    "live-demo": { type: "string" },
    heddle: { type: "string" },
    tangled: { type: "string" },
    out: { type: "string" },
  },
});
const out = resolve(options.out);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Starts a test program and waits for its "port N"; it ends when its standard input is closed. */
async function startServer(file, args) {
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = [];
  const port = await new Promise((found, failed) => {
    child.on("exit", () => failed(new Error(`${file} ended early`)));
    child.stdout.on("data", (data) => {
      lines.push(...String(data).split("\n"));
      const match = /port (\d+)/.exec(lines.join("\n"));
      if (match) found(Number(match[1]));
    });
  });
  const stop = () => new Promise((ended) => (child.on("exit", ended), child.stdin.end()));
  return { url: `http://localhost:${port}/`, lines, stop, tell: (line) => child.stdin.write(`${line}\n`) };
}

async function testRecorded(context, url) {
  const page = await openPage(context, url);
  await until(async () => (await foreground(page)).share > 0.05, "the cloth is visible");
  check((await page.title()).includes("Cloth over a ball"), "the title names the scene");
  await page.screenshot({ path: join(out, "desktop-fabric.png") });

  const shots = new Set();
  for (const position of [0, 10, 25, 39]) {
    await page.locator(".scrubber").fill(String(position));
    await until(async () => (await frameNumber(page)) === position, `scrubbing reaches frame ${position}`);
    await newLook(page, shots, `frame ${position} looks like no other`);
  }

  const colours = new Set();
  for (const mode of ["fabric", "weft", "warp", "shear", "speed", "material", "contact", "intersections"]) {
    await page.selectOption("#colour-mode", mode);
    await newLook(page, colours, `the colouring by ${mode} looks like no other`);
    await page.screenshot({ path: join(out, `desktop-${mode}.png`) });
  }
  await until(async () => (await page.locator(".extremes").textContent()) === "This frame: none", "nothing intersects");
  await page.keyboard.press("7");
  check(/0 to 0\.00\d+ N/.test(await page.locator(".extremes").textContent()), "the legend of contact is in newtons");
  await page.keyboard.press("2");
  const limit = page.locator(".limit");
  await limit.fill("50");
  await limit.press("Enter");
  check((await page.locator(".ticks span").first().textContent()) === "-50", "the legend's limit can be set");

  await page.locator("canvas.stage").click({ position: { x: 5, y: 300 } });
  await page.keyboard.press("1");
  await page.keyboard.press("w");
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(out, "desktop-wireframe.png") });
  await page.keyboard.press("w");
  const withObstacles = (await foreground(page)).share;
  await page.keyboard.press("o");
  await until(async () => (await foreground(page)).share < withObstacles, "obstacles can be hidden");
  await page.keyboard.press("o");

  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await until(async () => (await frameNumber(page)) > 3, "playing advances");
  await page.keyboard.press("Space");
  const stopped = await frameNumber(page);
  await page.keyboard.press("ArrowRight");
  await until(async () => (await frameNumber(page)) === (stopped + 1) % 40, "the arrow key shows the next frame");

  const download = page.waitForEvent("download");
  await page.keyboard.press("p");
  const saved = join(out, "saved-picture.png");
  await (await download).saveAs(saved);
  check(statSync(saved).size > 20000, "a picture can be saved");

  const before = JSON.stringify(await foreground(page));
  const box = await page.locator("canvas.stage").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 320, box.y + 330, { steps: 4 });
  await page.mouse.up();
  await until(async () => JSON.stringify(await foreground(page)) !== before, "dragging turns the camera");

  await page.keyboard.press("?");
  await page.screenshot({ path: join(out, "desktop-help.png") });
  await page.keyboard.press("Escape");
  await page.locator("canvas.plot").click({ position: { x: 150, y: 60 } });
  check((await frameNumber(page)) > 0, "a click into the plot moves the play head");
  await page.close();
}

async function testDark(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  const page = await openPage(context, url);
  await page.locator(".scrubber").fill("30");
  await page.selectOption("#colour-mode", "shear");
  await until(async () => (await foreground(page)).share > 0.05, "the cloth is visible on a dark page");
  await page.screenshot({ path: join(out, "desktop-dark.png") });
  await context.close();
}

async function testPhone(browser, url) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  });
  const page = await openPage(context, url);
  await page.locator(".scrubber").fill("30");
  await until(async () => (await foreground(page)).share > 0.03, "the cloth is visible on a phone");
  await page.screenshot({ path: join(out, "phone.png") });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check(width <= 390, "nothing sticks out of a phone's page");
  await page.getByRole("button", { name: "Panel (H)" }).tap();
  await page.selectOption("#colour-mode", "weft");
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(out, "phone-panel.png") });
  await page.locator(".close-panel").tap();
  await until(async () => !(await page.locator(".panel").isVisible()), "the panel can be closed");
  await context.close();
}

/** Sheets that start through each other: the numbers are those of `heddle info`. */
async function testTangled(context, url, run, name) {
  const info = spawnSync(options.heddle, ["info", run, "--intersections", "--json"]);
  const { frames } = JSON.parse(info.stdout).intersections;
  check(frames.length === 2 && frames[0].count > 100, "sheets are tangled");
  const page = await openPage(context, url);
  await until(async () => (await foreground(page)).share > 0.05, `the sheets are visible in ${name}`);
  check((await redShare(page)) < 0.001, "fabrics are not bright red");
  await page.selectOption("#colour-mode", "intersections");
  for (const { frame, count } of frames) {
    await page.locator(".scrubber").fill(String(frame));
    const expected = `This frame: ${count} pairs of triangles`;
    await until(async () => (await page.locator(".extremes").textContent()) === expected, `${name} counts in frame ${frame}`);
    await until(async () => (await redShare(page)) > 0.001, `what intersects is red in frame ${frame} of ${name}`);
    await page.screenshot({ path: join(out, `${name}-${frame}-intersections.png`) });
  }
  await page.selectOption("#colour-mode", "contact");
  await until(async () => (await redShare(page)) < 0.001, "other colours have no marks");
  await page.screenshot({ path: join(out, `${name}-contact.png`) });
  await page.close();
}

async function testExport(context, file) {
  const page = await openPage(context, pathToFileURL(file).href);
  await until(async () => (await foreground(page)).share > 0.05, "an exported page opens from disk");
  await page.locator(".scrubber").fill("33");
  await until(async () => (await frameNumber(page)) === 33, "an exported page can be scrubbed");
  await page.selectOption("#colour-mode", "weft");
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(out, "export.png") });
  check((await page.locator(".extremes").textContent()).includes("%"), "an exported page has strains");
  check((await page.locator(".keys li").count()) > 0, "an exported page has metrics");
  await page.close();
}

async function testLive(context) {
  const demo = await startServer(options["live-demo"], []);
  const page = await openPage(context, demo.url);
  const said = (text) => () => demo.lines.some((line) => line.startsWith(text));
  await until(async () => (await frameNumber(page)) > 5, "a live page moves");
  check((await page.locator(".status").textContent()) === "running", "a live page says that it runs");
  await page.screenshot({ path: join(out, "live.png") });
  await page.selectOption("#colour-mode", "contact");
  await until(async () => / N$/.test(await page.locator(".extremes").textContent()), "a live page shows contact");
  await page.selectOption("#colour-mode", "intersections");
  const legend = () => page.locator(".extremes").textContent();
  await until(async () => (await legend()).includes("once the run is stored"), "a live page does not ask for intersections");

  await page.getByRole("button", { name: /Pause the simulation/ }).click();
  await until(said("pause 1"), "the simulation can be paused");
  const paused = await settled(() => frameNumber(page));
  await page.getByRole("button", { name: /One step/ }).click();
  await until(async () => (await frameNumber(page)) === paused + 1, "a paused simulation makes one step");

  const still = await foreground(page);
  const box = await page.locator("canvas.stage").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 90, y - 130, { steps: 6 });
  await until(said("grab 0 "), "a vertex can be grabbed");
  const follows = async () => JSON.stringify(await foreground(page)) !== JSON.stringify(still);
  await until(follows, "the grabbed cloth follows the pointer");
  await page.screenshot({ path: join(out, "live-grab.png") });
  await page.mouse.up();
  await until(said("release"), "the cloth is released");

  await page.keyboard.press("Space");
  await until(said("pause 0"), "the simulation goes on");
  await page.keyboard.press("Home");
  await until(async () => (await frameNumber(page)) === 0, "recorded frames of a live run can be seen");
  await until(async () => (await legend()) === "This frame: none", "recorded frames of a live run tell intersections");
  await page.locator(".live").click();
  await until(async () => (await frameNumber(page)) > paused, "the page returns to the running simulation");
  demo.tell("finish");
  await until(async () => (await page.locator(".status").textContent()) === "finished", "the page learns of the end");
  await page.close();
  await demo.stop();
}

const browser = await launchBrowser(options.chromium);
try {
  const run = join(out, "run");
  const page = join(out, "run.html");
  check(spawnSync(options["view-demo"], ["make", run, "60", "40"]).status === 0, "a run is written");
  check(spawnSync(options["view-demo"], ["export", run, page]).status === 0 && existsSync(page), "a run is exported");
  console.log(`     exported page: ${(statSync(page).size / 1e6).toFixed(1)} MB`);
  const server = await startServer(options["view-demo"], ["serve", run]);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
  await testRecorded(context, server.url);
  await testDark(browser, server.url);
  await testPhone(browser, server.url);
  await server.stop();
  await testExport(context, page);
  await testLive(context);

  const tangled = join(out, "tangled");
  const started = spawnSync(options.heddle, ["run", options.tangled, "--until", "0.04", "-o", tangled]);
  check(started.status === 0, "a scene with intersections is run");
  const tangledPage = `${tangled}.html`;
  check(spawnSync(options.heddle, ["export", tangled, "--to", "html", "-o", tangledPage]).status === 0, "and exported");
  const tangledServer = await startServer(options["view-demo"], ["serve", tangled]);
  await testTangled(context, tangledServer.url, tangled, "tangled");
  await tangledServer.stop();
  await testTangled(context, pathToFileURL(tangledPage).href, tangled, "tangled-export");
} finally {
  await browser.close();
}
process.exit(finishChecks());
