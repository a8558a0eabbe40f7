import { describe, expect, it } from "vitest";
import type { ClothFrame, Model, ModelObject } from "../src/data/model";
import { kPlainColour, kTreatmentColours } from "../src/scene/colour_maps";
import { componentColours, componentSizes, countTreatments, elementLines, faceElements, treatmentColours } from "../src/scene/kinds";

/** Two triangles over a square, a membrane and a hinge between them, a spring, and a patch of bending. */
const square: ModelObject = {
  kind: "cloth",
  name: "",
  thickness: 0,
  radius: 0,
  vertices: 4,
  faces: 2,
  triangles: Int32Array.from([0, 1, 2, 2, 1, 3]),
  rest: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]),
  uv: null,
  faceMaterial: null,
  elements: [
    { term: "membrane", shape: "face", count: 1, corners: Int32Array.from([1, 2, 3]) },
    { term: "hinge", shape: "line", count: 1, corners: Int32Array.from([1, 2]) },
    { term: "springs", shape: "line", count: 1, corners: Int32Array.from([0, 1]) },
    { term: "patch", shape: "outline", count: 1, corners: Int32Array.from([0, 1, 2]) },
  ],
};
const frame: ClothFrame = {
  kind: "cloth",
  positions: square.rest,
  speeds: new Float32Array(4),
  pressures: new Float32Array(0),
  strains: new Int16Array(0),
  strainStep: 1,
  treatments: Uint8Array.from([2, 1, 0, 2]),
  components: Int32Array.from([0, 0, -1, 1]),
  paces: new Float32Array(0),
};
const up = Float32Array.from([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);

describe("kinds of elements", () => {
  it("colour the face that an element is, whatever its first corner", () => {
    const elements = faceElements(square);
    expect([...elements]).toEqual([-1, 0]);
    expect(treatmentColours(elements, frame)).toEqual([kPlainColour, kTreatmentColours[2]]);
  });

  it("are lines that do not lie on each other, and outlines within their triangle", () => {
    const { positions, colours } = elementLines(square, frame, up);
    expect(colours).toEqual([1, 0, 2, 2, 2].map((k) => kTreatmentColours[k]));
    expect([...positions.subarray(0, 6)]).toEqual([1, 0, 0, 0, 1, 0]);
    expect(positions[7]).toBeGreaterThan(0.05);
    expect(positions[7]).toBe(positions[10]);
    expect(positions[12]).toBeCloseTo(0.25 / 3);
  });

  it("are counted by term", () => {
    const model: Model = { frameRate: 25, materials: [], objects: [square] };
    const all = { index: 0, time: 0, objects: [frame], loads: new Float32Array(0), bytes: 0 };
    expect(countTreatments(model, all).map(({ counts }) => counts)).toEqual([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1]]);
    expect(componentSizes(all)).toEqual([2, 1]);
  });

  it("leave faces between components plain; fixed vertices belong to none", () => {
    const [first, second] = componentColours(square, frame);
    expect(first).not.toBe(kPlainColour);
    expect(second).toBe(kPlainColour);
  });
});
