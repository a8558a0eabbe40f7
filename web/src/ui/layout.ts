import type { LiveState } from "../data/live";
import type { Model } from "../data/model";
import { h, iconButton } from "./dom";
import { createHelp } from "./help";
import { Panel, type PanelActions } from "./panel";
import { Toasts } from "./toast";
import { Transport, type TransportActions } from "./transport";

export interface LayoutActions extends PanelActions, TransportActions {
  fit(): void;
  savePicture(): void;
}

const kNarrow = "(max-width: 760px)";

/** Every element of the page and where it stands. */
export class Layout {
  readonly canvas = h("canvas", { className: "stage", tabIndex: 0, aria: { label: "Picture of the simulation" } });
  readonly toasts = new Toasts();
  panel!: Panel;
  transport!: Transport;
  private readonly help = createHelp();
  private readonly title = h("h1", {}, "Heddle");
  private readonly status = h("span", { className: "status" });
  private readonly info = h("div", { className: "info" });
  private readonly tools = h("div", { className: "tools" });
  private online = true;
  private counts = "";
  private cell = "";
  private pictures: number[] = [];

  constructor(private readonly root: HTMLElement) {
    this.root.classList.add("app");
    this.root.append(
      h(
        "main",
        {},
        this.canvas,
        h("header", { className: "title" }, this.title, this.status),
        this.tools,
        this.info,
        this.toasts.root,
      ),
      this.help,
    );
    if (matchMedia(kNarrow).matches) this.togglePanel(false);
  }

  connect(actions: LayoutActions): void {
    const close = iconButton("close", "Close", () => this.togglePanel(false));
    close.classList.add("close-panel");
    this.panel = new Panel(actions, close);
    this.transport = new Transport(actions);
    this.tools.append(
      iconButton("fit", "Fit the view (F)", () => actions.fit()),
      iconButton("camera", "Save a picture (P)", () => actions.savePicture()),
      iconButton("help", "Keys (?)", () => this.showHelp()),
      iconButton("panel", "Panel (H)", () => this.togglePanel()),
    );
    this.root.append(this.panel.root, this.transport.root);
  }

  setTitle(title: string): void {
    this.title.textContent = title;
    document.title = `${title} – Heddle`;
  }

  setCounts(model: Model): void {
    const sum = (key: "vertices" | "faces") =>
      model.objects.filter(({ kind }) => kind === "cloth").reduce((total, object) => total + object[key], 0);
    const text = (count: number) => count.toLocaleString("en").replaceAll(",", "\u202f");
    this.counts = `${text(sum("vertices"))} vertices, ${text(sum("faces"))} faces, ${model.frameRate} frames/s`;
    this.showInfo();
  }

  setCellSize(metres: number): void {
    this.cell = metres >= 1 ? `grid ${metres} m` : metres >= 0.01 ? `grid ${Math.round(metres * 100)} cm` : `grid ${+(metres * 1000).toPrecision(2)} mm`;
    this.showInfo();
  }

  setLive(state: LiveState): void {
    const text = state.finished ? "finished" : !state.connected ? "connecting…" : state.paused ? "paused" : "running";
    this.status.textContent = text;
    this.status.dataset.state = text;
  }

  setOnline(online: boolean): void {
    if (online === this.online) return;
    this.online = online;
    this.status.textContent = online ? (this.status.dataset.state ?? "") : "not connected";
    if (!online) this.toasts.show("The server does not answer. Is “heddle” still running?");
  }

  /** Measures how many pictures a second are drawn while something moves. */
  countPicture(now: number): void {
    this.pictures = [...this.pictures.filter((time) => now - time < 1000), now];
    this.showInfo();
  }

  togglePanel(open = this.root.classList.contains("no-panel")): void {
    this.root.classList.toggle("no-panel", !open);
  }

  showHelp(): void {
    this.help.showModal();
  }

  colour(name: string): string {
    return getComputedStyle(this.root).getPropertyValue(name).trim();
  }

  onThemeChange(listener: () => void): void {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
  }

  private showInfo(): void {
    const rate = this.pictures.length > 5 ? `${this.pictures.length} pictures/s` : "";
    this.info.textContent = [this.counts, this.cell, rate].filter((part) => part !== "").join("  ·  ");
  }
}

/** What stands in place of everything if the run cannot be shown. */
export function showFailure(root: HTMLElement, message: string): void {
  root.replaceChildren(h("div", { className: "failure" }, h("h1", {}, "The run cannot be shown"), h("p", {}, message)));
}
