// What the browser tests share: checks, waiting, and looking at the page.
import { chromium } from "playwright-core";

let failures = 0;

export function check(condition, what) {
  console.log(`${condition ? "ok  " : "FAIL"} ${what}`);
  if (!condition) failures++;
}

/** Waits as long as a busy machine may need; a condition that holds ends it at once. */
export async function until(condition, what, seconds = 60) {
  const end = Date.now() + 1000 * seconds;
  while (Date.now() < end) {
    if (await condition()) return check(true, what);
    await new Promise((wait) => setTimeout(wait, 50));
  }
  return check(false, what);
}

/** The value once it has stayed the same for a while. */
export async function settled(read, seconds = 4) {
  let value = await read();
  for (let since = Date.now(); Date.now() < since + 1000 * seconds; ) {
    await new Promise((wait) => setTimeout(wait, 50));
    const next = await read();
    if (next !== value) since = Date.now();
    value = next;
  }
  return value;
}

/** What the canvas shows, as ImageData in the page. */
async function canvasPixels(page) {
  // Not a screenshot of the element, which waits for a rest that a busy machine may not find.
  const shot = await page.screenshot({ clip: await page.locator("canvas.stage").boundingBox() });
  return page.evaluateHandle(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }, shot.toString("base64"));
}

/** Share of the canvas' pixels that differ from its corner, and the mean colour of those that do. */
export async function foreground(page) {
  return (await canvasPixels(page)).evaluate(({ data, width, height }) => {
    const corner = 4 * (width * (height >> 1));
    let count = 0;
    const sum = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      const far = [0, 1, 2].reduce((d, k) => d + Math.abs(data[i + k] - data[corner + k]), 0);
      if (far < 60) continue;
      count++;
      for (let k = 0; k < 3; k++) sum[k] += data[i + k];
    }
    return { share: (4 * count) / data.length, colour: sum.map((s) => Math.round(s / Math.max(count, 1))) };
  });
}

/** Share of the canvas' pixels in the bright red of intersections. */
export async function redShare(page) {
  return (await canvasPixels(page)).evaluate(({ data }) => {
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 200 && data[i + 1] < 60 && data[i + 2] < 80) count++;
    return (4 * count) / data.length;
  });
}

/** The look of the canvas once it is none of `known`, to which it is added. */
export async function newLook(page, known, what) {
  let look;
  await until(async () => !known.has((look = JSON.stringify(await foreground(page)))), what);
  known.add(look);
}

export const frameNumber = (page) => page.locator(".time").getAttribute("data-frame").then(Number);

export async function openPage(context, url) {
  const page = await context.newPage();
  page.on("pageerror", (error) => check(false, `no error on the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") check(false, `no message on the console: ${message.text()}`);
  });
  await page.goto(url);
  await page.waitForSelector(".transport");
  return page;
}

/** Debian's Chromium without a graphics card. */
export function launchBrowser(executablePath) {
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    ],
  });
}

/** Prints the result; returns the exit code. */
export function finishChecks() {
  console.log(failures === 0 ? "all passed" : `${failures} failed`);
  return failures === 0 ? 0 : 1;
}
