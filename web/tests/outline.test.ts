import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { fitCamera, samplePoints } from "../src/scene/outline";

describe("fitting the camera", () => {
  it("brings every point into the picture, and some to its edge", () => {
    const points = Array.from({ length: 200 }, (_, i) => new THREE.Vector3(Math.sin(i) * 3, Math.cos(2 * i), Math.sin(5 * i) + 4));
    for (const from of [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0.6, -1, 0.5).normalize()]) {
      const { target, distance } = fitCamera(points, from, 0.3, 0.5);
      const camera = new THREE.PerspectiveCamera((2 * Math.atan(0.3) * 180) / Math.PI, 0.5 / 0.3, 0.01, 1000);
      camera.up.set(0, 0, 1);
      camera.position.copy(target).addScaledVector(from, distance);
      camera.lookAt(target);
      camera.updateMatrixWorld();
      const seen = points.map((point) => point.clone().project(camera));
      const edge = Math.max(...seen.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))));
      expect(edge).toBeCloseTo(1, 4);
    }
  });

  it("leaves out points that are not finite", () => {
    expect(samplePoints(Float32Array.from([0, 0, NaN, 1, 2, 3])).length).toBe(1);
    expect(samplePoints(new Float32Array(300000)).length).toBeLessThanOrEqual(1500);
  });
});
