import type { Material } from "../data/model";
import { colourMapGradient, kCategorical, kMarkColour, kPlainColour, kTreatmentColours } from "../scene/colour_maps";
import { kColourModes, kScalarModes, type ColourMode, type Range } from "../scene/colouring";
import type { TreatmentCounts } from "../scene/kinds";
import { h, shortNumber } from "./dom";

/** Of intersecting triangles, or why their number is not known. */
export function pairsText(count: number | string): string {
  if (typeof count === "string") return count;
  return count === 0 ? "none" : count === 1 ? "1 pair of triangles" : `${count} pairs of triangles`;
}

function swatch(colour: string, text: string): HTMLElement {
  const box = h("i");
  box.style.background = colour;
  return h("li", {}, box, text);
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

  /** `terms` is empty if the run does not tell. */
  showTreatments(terms: TreatmentCounts[]): void {
    this.root.dataset.mode = "treatment";
    const sum = (treatment: number) => terms.reduce((count, term) => count + term.counts[treatment], 0);
    const labels = ["Inactive", "Explicit", "Implicit"];
    const swatches = [2, 1, 0].map((k) => swatch(kTreatmentColours[k], `${labels[k]}: ${sum(k)}`));
    const lines = terms.map(({ term, counts: [inactive, explicit, implicit] }) =>
      h("div", { className: "extremes" }, `${term}: ${implicit} implicit, ${explicit} explicit, ${inactive} inactive`),
    );
    const none = h("div", { className: "extremes" }, "All elements of this run are treated alike.");
    this.root.replaceChildren(...(terms.length > 0 ? [h("ul", { className: "materials" }, ...swatches), ...lines] : [none]));
  }

  /** `sizes`: vertices of each component, the largest first; empty if the run was not decomposed. */
  showComponents(sizes: number[]): void {
    this.root.dataset.mode = "components";
    const alone = sizes.filter((size) => size === 1).length;
    const text =
      sizes.length === 0
        ? "No linear system was decomposed for this frame."
        : `${sizes.length} ${sizes.length === 1 ? "component" : "components"}, the largest of ${sizes[0]} vertices` +
          (alone > 0 ? `, ${alone} of one vertex` : "");
    this.root.replaceChildren(
      h("ul", { className: "materials" }, swatch(kPlainColour, "Between components, or fixed")),
      h("div", { className: "extremes" }, text),
    );
  }

  showMaterials(materials: Material[], mode: "fabric" | "material"): void {
    this.root.dataset.mode = mode;
    const ofMaterial = (material: Material, i: number) => {
      const srgb = (c: number) => Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
      const [r, g, b] = material.front.map(srgb);
      const colour = mode === "material" ? kCategorical[i % kCategorical.length] : `rgb(${r} ${g} ${b})`;
      return swatch(colour, material.name || `Material ${i + 1}`);
    };
    this.root.replaceChildren(h("ul", { className: "materials" }, ...materials.map(ofMaterial)));
  }
}
