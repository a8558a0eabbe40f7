import type { ClothFrame, Frame, Model, ModelObject } from "../data/model";
import { kCategorical, kPlainColour, kTreatmentColours } from "./colour_maps";

/** Between the lines of two terms, in edges of the mesh. */
const kLane = 0.07;
/** Of an outline's distance to the middle of its triangle. */
const kInset = 0.25;

/** Lines with one colour each. */
export interface ColouredLines {
  /** Six numbers each: from and to. */
  positions: Float32Array;
  colours: string[];
}

function meanEdge(object: ModelObject): number {
  let sum = 0;
  const { rest, triangles } = object;
  for (let t = 0; t < triangles.length; t++) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t % 3 === 2 ? t - 2 : t + 1];
    sum += Math.hypot(rest[b] - rest[a], rest[b + 1] - rest[a + 1], rest[b + 2] - rest[a + 2]);
  }
  return triangles.length > 0 ? sum / triangles.length : 0;
}

type Point = [number, number, number];

const pointAt = (values: Float32Array, vertex: number): Point => [values[3 * vertex], values[3 * vertex + 1], values[3 * vertex + 2]];
const mixed = (a: Point, b: Point, t: number): Point => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];

/** Across the line within the surface. */
function sideways(a: Point, b: Point, normal: Point, length: number): Point {
  const along = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const side: Point = [
    normal[1] * along[2] - normal[2] * along[1],
    normal[2] * along[0] - normal[0] * along[2],
    normal[0] * along[1] - normal[1] * along[0],
  ];
  const scale = length / (Math.hypot(...side) || 1);
  return [scale * side[0], scale * side[1], scale * side[2]];
}

/** Elements that are lines or outlines; terms lie side by side, so that none hides the others. */
export function elementLines(object: ModelObject, frame: ClothFrame, normals: Float32Array): ColouredLines {
  const points: number[] = [];
  const colours: string[] = [];
  const spacing = meanEdge(object);
  let element = 0;
  let lane = 0;
  const add = (from: Point, to: Point) => {
    points.push(...from, ...to);
    colours.push(kTreatmentColours[frame.treatments[element]]);
  };
  for (const { shape, count, corners } of object.elements) {
    if (shape === "face" || frame.treatments.length === 0) {
      element += count;
      continue;
    }
    // 0, 1, -1, 2, -2, …
    const aside = kLane * spacing * (lane % 2 === 1 ? (lane + 1) / 2 : -lane / 2);
    if (shape === "line") lane++;
    for (let e = 0; e < count; e++, element++) {
      if (shape === "line") {
        const a = pointAt(frame.positions, corners[2 * e]);
        const b = pointAt(frame.positions, corners[2 * e + 1]);
        const shift = sideways(a, b, pointAt(normals, corners[2 * e]), aside);
        add([a[0] + shift[0], a[1] + shift[1], a[2] + shift[2]], [b[0] + shift[0], b[1] + shift[1], b[2] + shift[2]]);
        continue;
      }
      const [a, b, c] = [0, 1, 2].map((k) => pointAt(frame.positions, corners[3 * e + k]));
      const middle: Point = [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3];
      const inner = [a, b, c].map((point) => mixed(point, middle, kInset));
      for (let k = 0; k < 3; k++) add(inner[k], inner[(k + 1) % 3]);
    }
  }
  return { positions: Float32Array.from(points), colours };
}

const faceKey = (a: number, b: number, c: number) => [a, b, c].sort((x, y) => x - y).join(",");

/** Which element each face is, -1 for none. */
export function faceElements(object: ModelObject): Int32Array {
  const elements = new Map<string, number>();
  let element = 0;
  for (const { shape, count, corners } of object.elements) {
    for (let e = 0; e < count; e++, element++) {
      if (shape === "face") elements.set(faceKey(corners[3 * e], corners[3 * e + 1], corners[3 * e + 2]), element);
    }
  }
  const { triangles } = object;
  return Int32Array.from({ length: object.faces }, (_, f) =>
    elements.get(faceKey(triangles[3 * f], triangles[3 * f + 1], triangles[3 * f + 2])) ?? -1,
  );
}

/** By the treatment of the element that a face is; plain where it is none. */
export function treatmentColours(elements: Int32Array, frame: ClothFrame): string[] {
  return Array.from(elements, (element) => kTreatmentColours[frame.treatments[element]] ?? kPlainColour);
}

/** By the component of a face's corners, plain where they differ; fixed corners do not count. */
export function componentColours(object: ModelObject, frame: ClothFrame): string[] {
  const { components } = frame;
  return Array.from({ length: object.faces }, (_, f) => {
    const owners = new Set<number>();
    for (let k = 0; k < 3; k++) owners.add(components[object.triangles[3 * f + k]] ?? -1);
    owners.delete(-1);
    const [component] = owners;
    return owners.size === 1 ? kCategorical[component % (kCategorical.length - 1)] : kPlainColour;
  });
}

export interface TreatmentCounts {
  term: string;
  /** Inactive, explicit, implicit. */
  counts: [number, number, number];
}

/** Per term, those of all cloths together; empty if the run has none. */
export function countTreatments(model: Model, frame: Frame): TreatmentCounts[] {
  const terms = new Map<string, [number, number, number]>();
  model.objects.forEach((object, o) => {
    const shown = frame.objects[o];
    if (shown.kind !== "cloth") return;
    let element = 0;
    for (const { term, count } of object.elements) {
      const counts = terms.get(term) ?? [0, 0, 0];
      for (let e = 0; e < count; e++, element++) {
        const treatment = shown.treatments[element];
        if (treatment !== undefined) counts[treatment]++;
      }
      terms.set(term, counts);
    }
  });
  return [...terms].map(([term, counts]) => ({ term, counts }));
}

/** How many vertices each component has, the largest first. */
export function componentSizes(frame: Frame): number[] {
  const sizes = new Map<number, number>();
  for (const object of frame.objects) {
    if (object.kind !== "cloth") continue;
    for (const component of object.components) if (component >= 0) sizes.set(component, (sizes.get(component) ?? 0) + 1);
  }
  return [...sizes.values()].sort((a, b) => b - a);
}
