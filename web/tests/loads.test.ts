import { describe, expect, it } from "vitest";
import { arrowsOf } from "../src/scene/load_arrows";

describe("arrows of magnetic loads", () => {
  it("are as long as the loads are strong, each kind by its strongest", () => {
    const arrows = arrowsOf(new Float32Array([1, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, -1, 0, 0.5, 0, 0]));
    expect(arrows.map(({ kind, share }) => [kind, share])).toEqual([["force", 1], ["force", 0.25], ["torque", 1]]);
    expect(arrows[0].direction.toArray()).toEqual([0, 0, 1]);
    expect(arrows[1].from.toArray()).toEqual([2, 0, 0]);
    expect(arrows[2].direction.toArray()).toEqual([1, 0, 0]);
  });

  it("leave out what is weak, and frames without loads have none", () => {
    expect(arrowsOf(new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0.001, 0, 0, 0, 0, 0])).length).toBe(1);
    expect(arrowsOf(new Float32Array(0))).toEqual([]);
    expect(arrowsOf(new Float32Array(9))).toEqual([]);
  });
});
