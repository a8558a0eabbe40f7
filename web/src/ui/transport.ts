import { h, iconButton, iconMarkup, shortNumber } from "./dom";

export interface TransportActions {
  togglePlay(): void;
  seek(position: number): void;
  shift(frames: number): void;
  setSpeed(speed: number): void;
  toggleLoop(): void;
  follow(): void;
  stepSimulation(): void;
}

export interface TransportState {
  position: number;
  count: number;
  /** Number of the frame in the run. */
  frame: number;
  time: number;
  playing: boolean;
  loop: boolean;
  speed: number;
  /** Frames of the run in a second of life. */
  frameRate: number;
  /** "none" for a recorded run; otherwise whether the page shows the running simulation. */
  live: "none" | "following" | "recorded";
  simulationPaused: boolean;
  loaded: (position: number) => boolean;
}

export const kSpeeds = [0.125, 0.25, 0.5, 1, 2, 4];
const kSpeedLabels: Record<number, string> = { 0.125: "⅛×", 0.25: "¼×", 0.5: "½×", 1: "1×", 2: "2×", 4: "4×" };

/** The bar below the picture: play, scrub, speed; for a live run also pause and step of the simulation. */
export class Transport {
  readonly root: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly live: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly speed: HTMLSelectElement;
  private readonly label = h("output", { className: "time" });
  private readonly recorded: HTMLElement[];

  constructor(actions: TransportActions) {
    this.play = iconButton("play", "Play (Space)", () => actions.togglePlay());
    this.play.classList.add("primary");
    this.step = iconButton("step", "One step of the simulation (N)", () => actions.stepSimulation());
    this.loop = iconButton("loop", "Repeat (L)", () => actions.toggleLoop());
    this.loop.classList.add("wide-only");
    this.live = h("button", { type: "button", className: "live", onclick: () => actions.follow() }, h("i"), "Live");
    this.slider = h("input", {
      type: "range",
      className: "scrubber",
      min: "0",
      step: "1",
      oninput: () => actions.seek(Number(this.slider.value)),
      aria: { label: "Frame" },
    });
    this.speed = h(
      "select",
      { title: "Speed and frame rate ([ and ])", onchange: () => actions.setSpeed(Number(this.speed.value)), aria: { label: "Speed" } },
      ...kSpeeds.map((s) => h("option", { value: String(s) }, kSpeedLabels[s])),
    );
    const first = iconButton("first", "First frame (Home)", () => actions.seek(0));
    const last = iconButton("last", "Last frame (End)", () => actions.seek(Infinity));
    first.classList.add("wide-only");
    last.classList.add("wide-only");
    const previous = iconButton("previous", "Previous frame (←)", () => actions.shift(-1));
    const next = iconButton("next", "Next frame (→)", () => actions.shift(1));
    this.recorded = [first, previous, next, last, this.loop, this.speed];
    this.root = h(
      "footer",
      { className: "transport" },
      h("div", { className: "buttons" }, first, previous, this.play, this.step, next, last),
      this.slider,
      h("div", { className: "readout" }, this.label, this.live, this.loop, this.speed),
    );
  }

  show(state: TransportState): void {
    const following = state.live === "following";
    const running = following ? !state.simulationPaused : state.playing;
    this.play.innerHTML = iconMarkup(running ? "pause" : "play");
    const label = following ? (running ? "Pause the simulation" : "Resume the simulation") : running ? "Pause" : "Play";
    this.play.title = `${label} (Space)`;
    this.play.setAttribute("aria-label", this.play.title);
    this.play.disabled = !following && state.count < 2;
    this.step.hidden = !following;
    this.step.disabled = running;
    this.live.hidden = state.live === "none";
    this.live.classList.toggle("on", following);
    this.live.title = following ? "Showing the running simulation" : "Back to the running simulation";
    for (const element of this.recorded) element.hidden = following;
    this.slider.max = String(Math.max(state.count - 1, 0));
    this.slider.disabled = state.count < 2;
    this.slider.value = String(following ? state.count - 1 : state.position);
    this.loop.classList.toggle("on", state.loop);
    for (const option of this.speed.options) {
      const text = `${kSpeedLabels[Number(option.value)]} ${shortNumber(Number(option.value) * state.frameRate)} fps`;
      if (option.text !== text) option.text = text;
    }
    this.speed.value = String(state.speed);
    this.label.textContent = `${state.time.toFixed(2)} s`;
    this.label.append(h("span", {}, `frame ${state.frame}`));
    this.label.dataset.frame = String(state.frame);
    this.paintTrack(state, following);
  }

  /** The track shows what is played and what is already loaded. */
  private paintTrack(state: TransportState, following: boolean): void {
    const last = Math.max(state.count - 1, 1);
    let loadedTo = state.position;
    while (loadedTo < last && state.loaded(loadedTo + 1)) loadedTo++;
    const played = following ? 1 : state.position / last;
    this.slider.style.setProperty("--played", `${100 * played}%`);
    this.slider.style.setProperty("--loaded", `${100 * Math.max(played, loadedTo / last)}%`);
  }
}
