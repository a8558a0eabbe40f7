import type { Material } from "../data/model";
import { colourMapGradient, kCategorical, kMarkColour, kPlainColour } from "../scene/colour_maps";
import { kColourModes, kScalarModes, type ColourMode, type Range } from "../scene/colouring";
import { h, shortNumber } from "./dom";

/** Of intersecting triangles, or why their number is not known. */
export function pairsText(count: number | string): string {
  if (typeof count === "string") return count;
  return count === 0 ? "none" : count === 1 ? "1 pair of triangles" : `${count} pairs of triangles`;
}

/** What the colours mean: a bar with numbers, or the names of the materials. */
export class Legend {
  readonly root = h("div", { className: "legend" });

  /** `onLimit` gets the largest value in the unit of the data, null for automatic. */
  constructor(private readonly onLimit: (largest: number | null) => void) {}

  showScalar(mode: ColourMode, range: Range, extremes: Range | null, chosen: boolean): void {
    const scalar = kScalarModes[mode];
    if (!scalar) return;
    const label = kColourModes.find((m) => m.mode === mode)?.label ?? mode;
    const text = (value: number) => shortNumber(value * scalar.scale);
    const limit = h("input", {
      className: "limit",
      inputMode: "decimal",
      value: text(range.high),
      title: "Largest value of the colours; empty for automatic",
      onchange: () => this.onLimit(limit.value.trim() === "" ? null : Number(limit.value.replace(",", ".")) / scalar.scale),
      aria: { label: "Largest value of the colours" },
    });
    limit.classList.toggle("chosen", chosen);
    const bar = h("div", { className: "bar" });
    bar.style.background = colourMapGradient(scalar.map);
    const middle = (range.low + range.high) / 2;
    const found = extremes ? `${text(extremes.low)} to ${text(extremes.high)} ${scalar.unit}` : "not in this run";
    // Rebuilding while the user types would take the cursor away.
    if (this.root.contains(document.activeElement) && this.root.dataset.mode === mode) {
      const line = this.root.querySelector(".extremes");
      if (line) line.textContent = `This frame: ${found}`;
      return;
    }
    this.root.dataset.mode = mode;
    this.root.replaceChildren(
      h("div", { className: "legend-title" }, h("span", {}, label), h("span", { className: "unit" }, scalar.unit)),
      bar,
      h("div", { className: "ticks" }, h("span", {}, text(range.low)), h("span", {}, text(middle)), limit),
      h("div", { className: "extremes" }, `This frame: ${found}`),
    );
  }

  /** `count`: pairs of triangles, or why they are not known. */
  showIntersections(count: number | string): void {
    this.root.dataset.mode = "intersections";
    const swatch = (colour: string, text: string) => {
      const box = h("i");
      box.style.background = colour;
      return h("li", {}, box, text);
    };
    this.root.replaceChildren(
      h(
        "ul",
        { className: "materials" },
        swatch(kMarkColour, "Intersects; pale where hidden"),
        swatch(kPlainColour, "Free"),
      ),
      h("div", { className: "extremes" }, `This frame: ${pairsText(count)}`),
    );
  }

  showMaterials(materials: Material[], mode: "fabric" | "material"): void {
    this.root.dataset.mode = mode;
    const swatch = (material: Material, i: number) => {
      const box = h("i");
      const srgb = (c: number) => Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
      const [r, g, b] = material.front.map(srgb);
      box.style.background = mode === "material" ? kCategorical[i % kCategorical.length] : `rgb(${r} ${g} ${b})`;
      return h("li", {}, box, material.name || `Material ${i + 1}`);
    };
    this.root.replaceChildren(h("ul", { className: "materials" }, ...materials.map(swatch)));
  }
}
