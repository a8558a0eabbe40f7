import { describe, expect, it } from "vitest";
import { decodeFrame, decodeModel } from "../src/data/wire";

function modelMessage(header: object, body: ArrayBuffer, version = 5): ArrayBuffer {
  let text = JSON.stringify(header);
  text = text.padEnd(Math.ceil(text.length / 4) * 4, " ");
  const bytes = new Uint8Array(16 + text.length + body.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x4d4c4448, true);
  view.setUint32(4, version, true);
  view.setUint32(8, text.length, true);
  bytes.set(new TextEncoder().encode(text), 16);
  bytes.set(new Uint8Array(body), 16 + text.length);
  return bytes.buffer;
}

/** One cloth of three vertices and one face, then one obstacle, then a load. */
function frameMessage(): ArrayBuffer {
  const buffer = new ArrayBuffer(32 + 32 + 72 + 12 + 8 + 64 + 36);
  const view = new DataView(buffer);
  view.setUint32(0, 0x464c4448, true);
  view.setUint32(4, 5, true);
  view.setFloat64(8, 0.5, true);
  view.setBigInt64(16, 12n, true);
  view.setUint32(24, 2, true);
  view.setUint32(36, 3, true);
  view.setUint32(40, 1, true);
  view.setUint32(44, 3, true);
  view.setFloat32(48, 0.25, true);
  view.setUint32(52, 2, true);
  view.setUint32(56, 3, true);
  view.setUint32(60, 3, true);
  for (let i = 0; i < 9; i++) view.setFloat32(64 + 4 * i, i, true);
  for (let i = 0; i < 3; i++) view.setFloat32(100 + 4 * i, 10 + i, true);
  for (let i = 0; i < 3; i++) view.setFloat32(112 + 4 * i, 20 + i, true);
  [0, -1, 7].forEach((value, k) => view.setInt32(124 + 4 * k, value, true));
  [0.5, 0.25, 0.125].forEach((value, k) => view.setFloat32(136 + 4 * k, value, true));
  [4, -8, 2].forEach((value, k) => view.setInt16(148 + 2 * k, value, true));
  [2, 1].forEach((value, k) => view.setUint8(154 + k, value));
  view.setUint32(156, 1, true);
  [0, 0, 0, 1, 5, 6, 7].forEach((value, k) => view.setFloat32(188 + 4 * k, value, true));
  view.setUint32(28, 1, true);
  for (let i = 0; i < 9; i++) view.setFloat32(220 + 4 * i, i, true);
  return buffer;
}

describe("model message", () => {
  const header = {
    frame_rate: 25,
    materials: [{ name: "wool", front: [1, 0, 0], back: [0, 1, 0], pattern: "weave", pattern_size: 0.02 }],
    objects: [
      { kind: "cloth", name: "ü", thickness: 0.001, radius: 0.002, vertices: 3, faces: 1, triangles: 0, rest: 12, uv: -1, face_material: -1,
        elements: [{ term: "membrane", shape: "face", count: 1, corners: 0 }] },
    ],
  };
  const body = new ArrayBuffer(48);
  new Int32Array(body, 0, 3).set([0, 2, 1]);
  new Float32Array(body, 12, 9).set([0, 1, 2, 3, 4, 5, 6, 7, 8]);

  it("gives the arrays by their offsets", () => {
    const model = decodeModel(modelMessage({ ...header, objects: [{ ...header.objects[0], name: "u" }] }, body));
    expect(model.frameRate).toBe(25);
    expect(model.materials[0].patternSize).toBe(0.02);
    expect([...model.objects[0].triangles]).toEqual([0, 2, 1]);
    expect(model.objects[0].rest[8]).toBe(8);
    expect(model.objects[0].uv).toBeNull();
    expect(model.objects[0].radius).toBe(0.002);
    expect(model.objects[0].elements[0].term).toBe("membrane");
    expect([...model.objects[0].elements[0].corners]).toEqual([0, 2, 1]);
  });

  it("refuses other data and other versions", () => {
    expect(() => decodeModel(new ArrayBuffer(4))).toThrow("not a model");
    expect(() => decodeModel(frameMessage())).toThrow("not a model");
    expect(() => decodeModel(modelMessage({ ...header, objects: [] }, body, 1))).toThrow("version 1");
  });
});

describe("frame message", () => {
  it("gives every object", () => {
    const frame = decodeFrame(frameMessage());
    expect(frame.index).toBe(12);
    expect(frame.time).toBe(0.5);
    const [cloth, obstacle] = frame.objects;
    if (cloth.kind !== "cloth" || obstacle.kind !== "obstacle") throw new Error("wrong kinds");
    expect([...cloth.positions]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect([...cloth.speeds]).toEqual([10, 11, 12]);
    expect([...cloth.pressures]).toEqual([20, 21, 22]);
    expect(cloth.strains[1] * cloth.strainStep).toBe(-2);
    expect([...cloth.components]).toEqual([0, -1, 7]);
    expect([...cloth.paces]).toEqual([0.5, 0.25, 0.125]);
    expect([...cloth.treatments]).toEqual([2, 1]);
    expect([...(obstacle.pose ?? [])]).toEqual([0, 0, 0, 1, 5, 6, 7]);
    expect([...frame.loads]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("gives the positions of an obstacle that deforms", () => {
    const buffer = new ArrayBuffer(32 + 32 + 36);
    const view = new DataView(buffer);
    view.setUint32(0, 0x464c4448, true);
    view.setUint32(4, 5, true);
    view.setUint32(24, 1, true);
    view.setUint32(32, 1, true);
    view.setUint32(36, 3, true);
    for (let i = 0; i < 9; i++) view.setFloat32(64 + 4 * i, i, true);
    const [obstacle] = decodeFrame(buffer).objects;
    if (obstacle.kind !== "obstacle") throw new Error("wrong kind");
    expect(obstacle.pose).toBeNull();
    expect([...(obstacle.positions ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("refuses a message that ends early", () => {
    expect(() => decodeFrame(frameMessage().slice(0, 100))).toThrow();
    expect(() => decodeFrame(new ArrayBuffer(0))).toThrow("not a frame");
  });
});
