import * as THREE from "three";

const kMostPoints = 1500;

/** Some of the points of an array x, y, z, …, spread over all of it; without those that are not finite. */
export function samplePoints(positions: Float32Array): THREE.Vector3[] {
  const points: THREE.Vector3[] = [];
  const stride = 3 * Math.max(1, Math.ceil(positions.length / 3 / kMostPoints));
  for (let i = 0; i < positions.length; i += stride) {
    const point = new THREE.Vector3(positions[i], positions[i + 1], positions[i + 2]);
    if (Number.isFinite(point.lengthSq())) points.push(point);
  }
  return points;
}

export interface Fit {
  target: THREE.Vector3;
  distance: number;
}

/**
 * Where a camera must look, and how far it must stand off, for all points to be in the picture. `direction`
 * points from the target to the camera, `tall` and `wide` are the tangents of the half opening angles.
 */
export function fitCamera(points: THREE.Vector3[], direction: THREE.Vector3, tall: number, wide: number): Fit {
  const right = new THREE.Vector3().crossVectors(new THREE.Vector3(0, 0, 1), direction).normalize();
  const up = new THREE.Vector3().crossVectors(direction, right);
  const axes = [right, up, direction];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const point of points) {
    axes.forEach((axis, k) => {
      low[k] = Math.min(low[k], point.dot(axis));
      high[k] = Math.max(high[k], point.dot(axis));
    });
  }
  const target = new THREE.Vector3();
  axes.forEach((axis, k) => target.addScaledVector(axis, (low[k] + high[k]) / 2));
  let distance = 1e-3;
  const relative = new THREE.Vector3();
  for (const point of points) {
    relative.subVectors(point, target);
    const aside = Math.max(Math.abs(relative.dot(right)) / wide, Math.abs(relative.dot(up)) / tall);
    distance = Math.max(distance, relative.dot(direction) + aside);
  }
  return { target, distance };
}
