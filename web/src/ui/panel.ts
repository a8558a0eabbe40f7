import type { ColourMode } from "../scene/colouring";
import { h, toggle } from "./dom";
import { Legend } from "./legend";
import { Plot } from "./plot";

export interface PanelActions {
  setMode(mode: ColourMode): void;
  setLimit(largest: number | null): void;
  toggle(part: DisplayPart, on: boolean): void;
  seekTime(time: number): void;
}

export type DisplayPart = "wireframe" | "obstacles" | "grid" | "forces";

export interface DisplayOptions extends Record<DisplayPart, boolean> {
  mode: ColourMode;
}

/** The column beside the picture: colours, what is shown, metrics. */
export class Panel {
  readonly root: HTMLElement;
  readonly legend: Legend;
  readonly plot: Plot;
  private readonly mode: HTMLSelectElement;
  private readonly wireframe;
  private readonly obstacles;
  private readonly grid;
  private readonly forces;

  constructor(actions: PanelActions, close: HTMLElement) {
    this.legend = new Legend((largest) => actions.setLimit(largest));
    this.plot = new Plot((time) => actions.seekTime(time));
    this.mode = h(
      "select",
      { onchange: () => actions.setMode(this.mode.value as ColourMode), aria: { label: "Colour by" } },
    );
    this.mode.id = "colour-mode";
    this.wireframe = toggle("Wireframe", "W", (on) => actions.toggle("wireframe", on));
    this.obstacles = toggle("Obstacles", "O", (on) => actions.toggle("obstacles", on));
    this.grid = toggle("Ground grid", "G", (on) => actions.toggle("grid", on));
    this.forces = toggle("Magnetic forces", "M", (on) => actions.toggle("forces", on));
    this.forces.root.hidden = true;
    this.root = h(
      "aside",
      { className: "panel" },
      h("section", {}, h("h2", {}, "Colour"), close, this.mode, this.legend.root),
      h("section", {}, h("h2", {}, "Show"), this.wireframe.root, this.obstacles.root, this.grid.root, this.forces.root),
      h("section", { className: "grow" }, h("h2", {}, "Metrics"), this.plot.root),
    );
  }

  /** The kinds of colours that the run has. */
  setModes(modes: { mode: ColourMode; label: string }[]): void {
    this.mode.replaceChildren(...modes.map(({ mode, label }) => h("option", { value: mode }, label)));
  }

  setHasObstacles(present: boolean): void {
    this.obstacles.root.hidden = !present;
  }

  /** Once a frame has loads. */
  setHasForces(): void {
    this.forces.root.hidden = false;
  }

  show(options: DisplayOptions): void {
    this.mode.value = options.mode;
    this.wireframe.set(options.wireframe);
    this.obstacles.set(options.obstacles);
    this.grid.set(options.grid);
    this.forces.set(options.forces);
  }
}
