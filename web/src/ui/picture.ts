import { colourMapStops } from "../scene/colour_maps";
import { kColourModes, kScalarModes, type ColourMode, type Range } from "../scene/colouring";
import { shortNumber } from "./dom";

export interface PictureLegend {
  mode: ColourMode;
  range: Range;
  /** Instead of a colour bar; may be empty. */
  note: string;
  text: string;
}

/** The colour bar in the lower left corner, so that a picture explains itself. */
function drawLegend(c: CanvasRenderingContext2D, { mode, range, note, text }: PictureLegend, unit: number): void {
  const scalar = kScalarModes[mode];
  c.font = `${13 * unit}px system-ui, sans-serif`;
  if (!scalar) {
    c.fillStyle = text;
    c.fillText(note, 24 * unit, c.canvas.height - 30 * unit);
    return;
  }
  const label = kColourModes.find((m) => m.mode === mode)?.label ?? mode;
  const width = 220 * unit;
  const left = 24 * unit;
  const top = c.canvas.height - 56 * unit;
  const gradient = c.createLinearGradient(left, 0, left + width, 0);
  const stops = colourMapStops(scalar.map);
  stops.forEach((stop, i) => gradient.addColorStop(i / (stops.length - 1), stop));
  c.fillStyle = gradient;
  c.fillRect(left, top, width, 10 * unit);
  c.fillStyle = text;
  c.textAlign = "left";
  c.fillText(`${label} (${scalar.unit})`, left, top - 8 * unit);
  const numbers = [range.low, (range.low + range.high) / 2, range.high].map((v) => shortNumber(v * scalar.scale));
  (["left", "center", "right"] as const).forEach((align, i) => {
    c.textAlign = align;
    c.fillText(numbers[i], left + (width * i) / 2, top + 26 * unit);
  });
}

/** Downloads what the canvas shows; call right after drawing, while the pixels are there. */
export function savePicture(source: HTMLCanvasElement, name: string, legend: PictureLegend): void {
  const canvas = document.createElement("canvas");
  canvas.width = source.width;
  canvas.height = source.height;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.drawImage(source, 0, 0);
  drawLegend(context, legend, source.width / Math.max(source.clientWidth, 1));
  canvas.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }, "image/png");
}
