import { shortNumber } from "./dom";

export interface Extent {
  low: number;
  high: number;
}

export interface PlotBounds {
  x: Extent;
  y: Extent;
}

/** Smallest and largest finite value; with `withZero` zero is part of it if it is near. */
export function extent(arrays: ArrayLike<number>[], withZero: boolean): Extent {
  let low = Infinity;
  let high = -Infinity;
  for (const values of arrays) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return { low: 0, high: 1 };
  if (withZero && low > 0 && low < 0.5 * high) low = 0;
  if (low === high) return { low: low - 0.5 * Math.abs(low || 1), high: high + 0.5 * Math.abs(high || 1) };
  return { low, high };
}

/** About four round numbers that cover the range. */
export function axisTicks(low: number, high: number): number[] {
  const raw = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.floor(low / step + 1e-6); i <= Math.ceil(high / step - 1e-6); i++) ticks.push(i * step);
  return ticks;
}

/** The inside of a plot, in CSS pixels of its canvas. */
export class PlotArea {
  readonly left = 44;
  readonly bottom = 20;
  readonly top = 8;
  readonly right = 8;

  constructor(
    readonly context: CanvasRenderingContext2D,
    readonly width: number,
    readonly height: number,
  ) {}

  get innerWidth(): number {
    return this.width - this.left - this.right;
  }

  x(bounds: PlotBounds, value: number): number {
    return this.left + ((value - bounds.x.low) / (bounds.x.high - bounds.x.low)) * this.innerWidth;
  }

  y(bounds: PlotBounds, value: number): number {
    const inner = this.height - this.top - this.bottom;
    return this.height - this.bottom - ((value - bounds.y.low) / (bounds.y.high - bounds.y.low)) * inner;
  }

  drawGrid(bounds: PlotBounds, yTicks: number[], xTicks: number[], line: string, text: string): void {
    const c = this.context;
    c.font = "11px system-ui, sans-serif";
    c.lineWidth = 1;
    c.strokeStyle = line;
    c.fillStyle = text;
    c.textBaseline = "middle";
    c.textAlign = "right";
    for (const tick of yTicks) {
      const y = Math.round(this.y(bounds, tick)) + 0.5;
      c.beginPath();
      c.moveTo(this.left, y);
      c.lineTo(this.width - this.right, y);
      c.stroke();
      c.fillText(shortNumber(tick), this.left - 6, y);
    }
    c.textBaseline = "alphabetic";
    c.textAlign = "center";
    for (const tick of xTicks) {
      if (tick < bounds.x.low - 1e-9 || tick > bounds.x.high + 1e-9) continue;
      const x = Math.min(this.x(bounds, tick), this.width - this.right - 10);
      c.fillText(tick === 0 ? "0 s" : shortNumber(tick), x, this.height - 5);
    }
  }

  drawCursor(bounds: PlotBounds, time: number, colour: string, alpha: number): void {
    if (time < bounds.x.low || time > bounds.x.high) return;
    const c = this.context;
    const x = Math.round(this.x(bounds, time)) + 0.5;
    c.globalAlpha = alpha;
    c.strokeStyle = colour;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(x, this.top);
    c.lineTo(x, this.height - this.bottom);
    c.stroke();
    c.globalAlpha = 1;
  }
}

/** The canvas at its present size and pixel density; null while it is not laid out. */
export function plotArea(canvas: HTMLCanvasElement): PlotArea | null {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const context = canvas.getContext("2d");
  if (!context || width < 20 || height < 20) return null;
  const density = window.devicePixelRatio || 1;
  const pixels = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
  context.setTransform(density, 0, 0, density, 0, 0);
  return new PlotArea(context, width, height);
}

/** One curve; where several rows share a pixel it runs through their smallest and largest value. */
export function strokeSeries(
  area: PlotArea,
  bounds: PlotBounds,
  time: Float64Array,
  values: Float64Array,
  colour: string,
): void {
  const c = area.context;
  c.strokeStyle = colour;
  c.lineWidth = 1.6;
  c.lineJoin = "round";
  c.beginPath();
  const stride = Math.max(1, Math.floor(values.length / (2 * area.innerWidth)));
  let pen = false;
  for (let i = 0; i < values.length; i += stride) {
    const end = Math.min(i + stride, values.length);
    let low = values[i];
    let high = values[i];
    for (let j = i + 1; j < end; j++) {
      low = Math.min(low, values[j]);
      high = Math.max(high, values[j]);
    }
    if (!Number.isFinite(low) || !Number.isFinite(high)) {
      pen = false;
      continue;
    }
    const x = area.x(bounds, time[i]);
    if (pen) c.lineTo(x, area.y(bounds, low));
    else c.moveTo(x, area.y(bounds, low));
    if (high !== low) c.lineTo(x, area.y(bounds, high));
    pen = true;
  }
  c.stroke();
}
