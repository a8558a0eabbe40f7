import * as THREE from "three";

const kForceColour = 0xc0281c;
const kTorqueColour = 0x2450b8;
/** Of the longest arrow, by the size of the scene. */
const kLongest = 0.25;
/** Shorter arrows, by the longest, are left out. */
const kLeast = 0.02;

/** An arrow from the middle of an object, in units of the longest arrow of its kind. */
export interface LoadArrow {
  from: THREE.Vector3;
  direction: THREE.Vector3;
  /** From 0 to 1. */
  share: number;
  kind: "force" | "torque";
}

/** `loads`: centre, force and torque, nine numbers each. */
export function arrowsOf(loads: Float32Array): LoadArrow[] {
  const arrows: LoadArrow[] = [];
  (["force", "torque"] as const).forEach((kind, k) => {
    const own: LoadArrow[] = [];
    for (let at = 0; at + 9 <= loads.length; at += 9) {
      const vector = new THREE.Vector3().fromArray(loads, at + 3 + 3 * k);
      own.push({ from: new THREE.Vector3().fromArray(loads, at), share: vector.length(), direction: vector.normalize(), kind });
    }
    const strongest = Math.max(0, ...own.map(({ share }) => share));
    for (const arrow of own) {
      arrow.share = strongest > 0 ? arrow.share / strongest : 0;
      if (arrow.share > kLeast) arrows.push(arrow);
    }
  });
  return arrows;
}

/** Magnetic forces and torques, drawn over everything, because they begin inside of objects. */
export class LoadArrows {
  readonly group = new THREE.Group();

  show(loads: Float32Array, size: number): void {
    this.clear();
    for (const { from, direction, share, kind } of arrowsOf(loads)) {
      const length = kLongest * size * share;
      const arrow = new THREE.ArrowHelper(direction, from, length, kind === "force" ? kForceColour : kTorqueColour,
        Math.min(0.3 * length, 0.02 * size + 0.1 * length), 0.35 * Math.min(0.3 * length, 0.02 * size + 0.1 * length));
      for (const part of [arrow.line, arrow.cone]) {
        (part.material as THREE.Material).depthTest = false;
        part.renderOrder = 1;
      }
      this.group.add(arrow);
    }
  }

  private clear(): void {
    for (const arrow of this.group.children) (arrow as THREE.ArrowHelper).dispose();
    this.group.clear();
  }
}
