import { h, iconButton } from "./dom";

const kShortcuts: [string, string][] = [
  ["Space", "Play or pause; in a live run pause or resume the simulation"],
  ["← →", "Previous, next frame (with Shift: ten frames)"],
  ["Home End", "First, last frame"],
  ["[ ]", "Slower, faster"],
  ["L", "Repeat"],
  ["1 … 9, 0", "Colours: fabric, weft, warp, shear, speed, material, contact, intersections, implicit and explicit, components; the others by the list"],
  ["W", "Wireframe"],
  ["O", "Obstacles"],
  ["G", "Ground grid"],
  ["M", "Magnetic forces"],
  ["F", "Fit the view to this frame"],
  ["X Y Z", "Look along an axis"],
  ["P", "Save a picture"],
  ["H", "Show or hide the panel"],
  ["N", "Live: one step of the simulation"],
  ["?", "This list"],
];

const kPointer: [string, string][] = [
  ["Drag", "Turn; in a live run pull the cloth under the pointer"],
  ["Right drag, two fingers", "Move"],
  ["Wheel, pinch", "Nearer, farther"],
];

function table(rows: [string, string][]): HTMLElement {
  const cells = rows.flatMap(([keys, what]) => [
    h("dt", {}, ...keys.split(" ").flatMap((key) => (rows === kShortcuts ? [h("kbd", {}, key), " "] : [`${key} `]))),
    h("dd", {}, what),
  ]);
  return h("dl", {}, ...cells);
}

export function createHelp(): HTMLDialogElement {
  const dialog = h("dialog", { className: "help", autofocus: true });
  const close = iconButton("close", "Close (Esc)", () => dialog.close());
  dialog.append(
    h("header", {}, h("h2", {}, "Keys and pointer"), close),
    table(kShortcuts),
    table(kPointer),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
