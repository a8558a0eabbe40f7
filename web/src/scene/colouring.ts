import type { ClothFrame, Frame, Model, ModelObject } from "../data/model";
import type { ColourMap } from "./colour_maps";

export type ColourMode = "fabric" | "weft" | "warp" | "shear" | "speed" | "material" | "contact" | "intersections" | "treatment" | "components" | "step" | "events" | "tension" | "curvature" | "twist";

export interface ScalarMode {
  map: ColourMap;
  unit: string;
  /** From the value in SI to the number in the legend. */
  scale: number;
  /** Which strain of the faces, or which array of the vertices. */
  of: 0 | 1 | 2 | "speeds" | "pressures" | "paces";
  /** One by the values: events a second instead of seconds from event to event. */
  inverse?: boolean;
  /** What has such values; both cloths and rods if it is not said. */
  on?: "cloths" | "rods";
}

export const kColourModes: { mode: ColourMode; label: string }[] = [
  { mode: "fabric", label: "Fabric" },
  { mode: "weft", label: "Weft strain" },
  { mode: "warp", label: "Warp strain" },
  { mode: "shear", label: "Shear strain" },
  { mode: "speed", label: "Speed" },
  { mode: "material", label: "Material" },
  { mode: "contact", label: "Contact" },
  { mode: "intersections", label: "Intersections" },
  { mode: "treatment", label: "Implicit and explicit" },
  { mode: "components", label: "Components" },
  { mode: "step", label: "Step of elements" },
  { mode: "events", label: "Events of elements" },
  { mode: "tension", label: "Tension of rods" },
  { mode: "curvature", label: "Curvature of rods" },
  { mode: "twist", label: "Twist of rods" },
];

export const kScalarModes: Partial<Record<ColourMode, ScalarMode>> = {
  weft: { map: "diverging", unit: "%", scale: 100, of: 0, on: "cloths" },
  warp: { map: "diverging", unit: "%", scale: 100, of: 1, on: "cloths" },
  shear: { map: "diverging", unit: "%", scale: 100, of: 2, on: "cloths" },
  speed: { map: "sequential", unit: "m/s", scale: 1, of: "speeds" },
  contact: { map: "pressing", unit: "N", scale: 1, of: "pressures" },
  step: { map: "sequential", unit: "ms", scale: 1000, of: "paces" },
  events: { map: "sequential", unit: "1/s", scale: 1, of: "paces", inverse: true },
  // Of the surface: stretch, curvature times radius, twist times radius.
  tension: { map: "diverging", unit: "% stretch", scale: 100, of: 0, on: "rods" },
  curvature: { map: "sequential", unit: "% of 1/radius", scale: 100, of: 1, on: "rods" },
  twist: { map: "diverging", unit: "% of 1/radius", scale: 100, of: 2, on: "rods" },
};

/** Whether a thing of the run has values of this kind. */
export function applies(mode: ScalarMode, object: ModelObject): boolean {
  if (object.kind !== "cloth") return false;
  return mode.on === undefined || (mode.on === "rods") === (object.radius > 0);
}

/** The kinds of colours that a run may show: strains of cloths and of rods only where there are some. */
export function colourModesOf(model: Model): { mode: ColourMode; label: string }[] {
  return kColourModes.filter(({ mode }) => {
    const scalar = kScalarModes[mode];
    return !scalar?.on || model.objects.some((object) => applies(scalar, object));
  });
}

export interface Range {
  low: number;
  high: number;
}

/** The next of 1, 2, 5, 10 … that is not below `value`: limits that people can read. */
export function niceCeiling(value: number): number {
  if (!(value > 0)) return 1e-3;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= value * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

interface Values {
  values: ArrayLike<number>;
  /** The value of face or vertex i is values[first + stride * i] * unit. */
  first: number;
  stride: number;
  unit: number;
}

/** The numbers of a frame: faces for strain, vertices for all else. */
function valuesOf(mode: ScalarMode, frame: ClothFrame): Values {
  const { of } = mode;
  if (typeof of === "number") return { values: frame.strains, first: of, stride: 3, unit: frame.strainStep };
  const values = mode.inverse ? frame[of].map((value) => (value > 0 ? 1 / value : 0)) : frame[of];
  return { values, first: 0, stride: 1, unit: 1 };
}

/** Per vertex the mean of the strains around it, or its own value; `out` has one value per vertex. */
export function vertexScalars(mode: ScalarMode, object: ModelObject, frame: ClothFrame, out: Float32Array): void {
  out.fill(0);
  if (!applies(mode, object)) return;
  if (typeof mode.of !== "number") {
    out.set(valuesOf(mode, frame).values);
    return;
  }
  if (frame.strains.length === 0) return;
  const counts = new Uint16Array(object.vertices);
  const { triangles, faces } = object;
  for (let f = 0; f < faces; f++) {
    const value = frame.strains[3 * f + mode.of];
    for (let k = 0; k < 3; k++) {
      const vertex = triangles[3 * f + k];
      out[vertex] += value;
      counts[vertex]++;
    }
  }
  for (let i = 0; i < out.length; i++) out[i] *= frame.strainStep / Math.max(counts[i], 1);
}

/** Of all things that have such values. */
function allValues(mode: ScalarMode, model: Model, frame: Frame): Values[] {
  return frame.objects.flatMap((object, i) => (object.kind === "cloth" && applies(mode, model.objects[i]) ? [valuesOf(mode, object)] : []));
}

/** Smallest and largest value in the frame: faces for strain, vertices for all else. */
export function frameExtremes(mode: ScalarMode, model: Model, frame: Frame): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (const { values, first, stride, unit } of allValues(mode, model, frame)) {
    for (let i = first; i < values.length; i += stride) {
      const value = values[i] * unit;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? { low, high } : null;
}

/**
 * The magnitude that 99 of 100 values stay below, so that one bad face does not bleach the picture. Zeros do not
 * count: contacts may be few.
 */
function typicalLargest(mode: ScalarMode, model: Model, frame: Frame): number {
  let largest = 0;
  for (const { values, first, stride, unit } of allValues(mode, model, frame)) {
    const sizes: number[] = [];
    for (let i = first; i < values.length; i += stride) if (values[i] !== 0) sizes.push(Math.abs(values[i]) * unit);
    const skip = Math.max(1, Math.floor(sizes.length / 4000));
    const sample = sizes.filter((_, i) => i % skip === 0).sort((a, b) => a - b);
    if (sample.length > 0) largest = Math.max(largest, sample[Math.floor(0.99 * (sample.length - 1))]);
  }
  return largest;
}

/** The limits of the legend: they widen as frames with larger values are seen, or are set by the user. */
export class LegendRanges {
  private readonly seen = new Map<ColourMode, number>();
  private readonly chosen = new Map<ColourMode, number>();
  private readonly measured = new Map<ColourMode, WeakSet<Frame>>();

  constructor(private readonly model: Model) {}

  include(mode: ColourMode, frame: Frame): void {
    const scalar = kScalarModes[mode];
    const done = this.measured.get(mode) ?? new WeakSet<Frame>();
    this.measured.set(mode, done);
    if (!scalar || done.has(frame)) return;
    done.add(frame);
    this.seen.set(mode, Math.max(this.seen.get(mode) ?? 0, typicalLargest(scalar, this.model, frame)));
  }

  /** `largest` in the unit of the data; null goes back to automatic limits. */
  choose(mode: ColourMode, largest: number | null): void {
    if (largest !== null && largest > 0) this.chosen.set(mode, largest);
    else this.chosen.delete(mode);
  }

  isChosen(mode: ColourMode): boolean {
    return this.chosen.has(mode);
  }

  range(mode: ColourMode): Range {
    const high = this.chosen.get(mode) ?? niceCeiling(this.seen.get(mode) ?? 0);
    return { low: kScalarModes[mode]?.map === "diverging" ? -high : 0, high };
  }
}
