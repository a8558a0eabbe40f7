import { plotGroups, rowAt, type Column, type Metrics, type PlotGroup } from "../data/metrics";
import { kCategorical } from "../scene/colour_maps";
import { h, shortNumber } from "./dom";
import { axisTicks, extent, plotArea, strokeSeries, type PlotArea } from "./plot_drawing";

/** Curves of the metrics table over time, with the play head; a click moves it there. */
export class Plot {
  readonly root: HTMLElement;
  private readonly canvas = h("canvas", { className: "plot", aria: { label: "Metrics over time" } });
  private readonly select: HTMLSelectElement;
  private readonly keys = h("ul", { className: "keys" });
  private readonly empty = h("p", { className: "hint" }, "This run has no metrics.");
  private metrics: Metrics = { time: new Float64Array(0), columns: [] };
  private groups: PlotGroup[] = [];
  private readonly hidden = new Set<string>();
  private time = 0;
  private hover: number | null = null;

  constructor(private readonly onSeek: (time: number) => void) {
    this.select = h("select", { onchange: () => this.rebuild(), aria: { label: "Metrics" } });
    this.root = h("div", { className: "metrics" }, this.select, this.canvas, this.keys, this.empty);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => this.setHover(null));
    this.canvas.addEventListener("pointerdown", (event) => this.onSeek(this.timeAt(event)));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  setMetrics(metrics: Metrics): void {
    this.metrics = metrics;
    this.groups = plotGroups(metrics);
    const chosen = this.select.value;
    this.select.replaceChildren(...this.groups.map(({ title }) => h("option", { value: title }, title)));
    if (this.groups.some(({ title }) => title === chosen)) this.select.value = chosen;
    this.rebuild();
  }

  setTime(time: number): void {
    this.time = time;
    this.refreshValues();
    this.draw();
  }

  draw(): void {
    const columns = this.visibleColumns();
    const area = plotArea(this.canvas);
    if (!area || this.metrics.time.length === 0) return;
    const style = getComputedStyle(this.canvas);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const x = extent([this.metrics.time], false);
    const y = extent(columns.map(({ values }) => values), true);
    const ticks = axisTicks(y.low, y.high);
    const bounds = { x, y: { low: Math.min(y.low, ticks[0]), high: Math.max(y.high, ticks[ticks.length - 1]) } };
    area.context.clearRect(0, 0, area.width, area.height);
    area.drawGrid(bounds, ticks, axisTicks(x.low, x.high), colour("--line"), colour("--muted"));
    columns.forEach((column) =>
      strokeSeries(area, bounds, this.metrics.time, column.values, this.colourOf(column)),
    );
    area.drawCursor(bounds, this.time, colour("--text"), 0.7);
    if (this.hover !== null) area.drawCursor(bounds, this.hover, colour("--muted"), 0.5);
  }

  private group(): PlotGroup | undefined {
    return this.groups.find(({ title }) => title === this.select.value) ?? this.groups[0];
  }

  private visibleColumns(): Column[] {
    return (this.group()?.columns ?? []).filter(({ name }) => !this.hidden.has(name));
  }

  private colourOf(column: Column): string {
    return kCategorical[(this.group()?.columns.indexOf(column) ?? 0) % kCategorical.length];
  }

  private rebuild(): void {
    const columns = this.group()?.columns ?? [];
    this.empty.hidden = columns.length > 0;
    this.select.hidden = this.canvas.hidden = columns.length === 0;
    this.keys.replaceChildren(...columns.map((column) => this.key(column)));
    this.refreshValues();
    this.draw();
  }

  private key(column: Column): HTMLElement {
    const mark = h("i");
    mark.style.background = this.colourOf(column);
    const button = h("button", { type: "button", title: "Show or hide" }, mark, h("span", {}, column.name.replaceAll("_", " ")), h("b"));
    button.setAttribute("aria-pressed", String(!this.hidden.has(column.name)));
    button.onclick = () => {
      if (!this.hidden.delete(column.name)) this.hidden.add(column.name);
      button.setAttribute("aria-pressed", String(!this.hidden.has(column.name)));
      this.draw();
    };
    return h("li", {}, button);
  }

  /** The numbers beside the names: at the pointer, else at the play head. */
  private refreshValues(): void {
    if (this.metrics.time.length === 0) return;
    const row = rowAt(this.metrics, this.hover ?? this.time);
    const columns = this.group()?.columns ?? [];
    this.keys.querySelectorAll("b").forEach((cell, i) => (cell.textContent = shortNumber(columns[i].values[row])));
  }

  private timeAt(event: PointerEvent): number {
    const area = plotArea(this.canvas) as PlotArea;
    const { low, high } = extent([this.metrics.time], false);
    const at = (event.offsetX - area.left) / Math.max(area.innerWidth, 1);
    return low + Math.min(Math.max(at, 0), 1) * (high - low);
  }

  private point(event: PointerEvent): void {
    const time = this.timeAt(event);
    if (event.buttons === 1) this.onSeek(time);
    this.setHover(time);
  }

  private setHover(time: number | null): void {
    this.hover = time;
    this.refreshValues();
    this.draw();
  }
}
