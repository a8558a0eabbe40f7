import { kColourModes, type ColourMode } from "../scene/colouring";
import type { DisplayPart } from "./panel";

export interface ShortcutActions {
  togglePlay(): void;
  shift(frames: number): void;
  seek(position: number): void;
  changeSpeed(by: number): void;
  toggleLoop(): void;
  setMode(mode: ColourMode): void;
  toggle(part: DisplayPart): void;
  fit(): void;
  lookAlong(axis: "x" | "y" | "z"): void;
  savePicture(): void;
  stepSimulation(): void;
}

export interface PageActions {
  togglePanel(): void;
  showHelp(): void;
}

export function installShortcuts(actions: ShortcutActions, page: PageActions): void {
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => actions.togglePlay(),
    arrowleft: (event) => actions.shift(event.shiftKey ? -10 : -1),
    arrowright: (event) => actions.shift(event.shiftKey ? 10 : 1),
    home: () => actions.seek(0),
    end: () => actions.seek(Infinity),
    "[": () => actions.changeSpeed(-1),
    "]": () => actions.changeSpeed(1),
    l: () => actions.toggleLoop(),
    w: () => actions.toggle("wireframe"),
    o: () => actions.toggle("obstacles"),
    g: () => actions.toggle("grid"),
    m: () => actions.toggle("forces"),
    f: () => actions.fit(),
    x: () => actions.lookAlong("x"),
    y: () => actions.lookAlong("y"),
    z: () => actions.lookAlong("z"),
    p: () => actions.savePicture(),
    h: () => page.togglePanel(),
    n: () => actions.stepSimulation(),
    "?": () => page.showHelp(),
  };
  kColourModes.slice(0, 10).forEach(({ mode }, i) => (keys[String((i + 1) % 10)] = () => actions.setMode(mode)));

  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target as HTMLElement;
    const typing = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
    // Space on a focused button or switch belongs to it.
    const own = event.key === " " && target.matches("button, input[type=checkbox]");
    const action = keys[event.key.toLowerCase()];
    if (!action || typing || own) return;
    event.preventDefault();
    action(event);
  });
}
