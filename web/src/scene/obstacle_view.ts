import * as THREE from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { ModelObject, ObstacleFrame } from "../data/model";
import { samplePoints } from "./outline";

/** Sharper edges than this stay edges (rad). */
const kCrease = 0.6;

/** One rigid obstacle on the stage. */
export class ObstacleView {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;

  private readonly rest: Float32Array;

  constructor(object: ModelObject) {
    this.rest = object.rest;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(object.rest, 3));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(object.triangles), 1));
    this.mesh = new THREE.Mesh(
      toCreasedNormals(geometry, kCrease),
      // Pushed back further than cloth, which else sinks into what it touches where both are seen at a low angle.
      new THREE.MeshStandardMaterial({
        roughness: 0.75,
        metalness: 0,
        side: THREE.DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 4,
        polygonOffsetUnits: 4,
      }),
    );
    this.mesh.castShadow = this.mesh.receiveShadow = true;
  }

  /** Some points of its surface as it stands in a frame. */
  outline(frame: ObstacleFrame): THREE.Vector3[] {
    const [x, y, z, w, tx, ty, tz] = frame.pose;
    const rotation = new THREE.Quaternion(x, y, z, w);
    const translation = new THREE.Vector3(tx, ty, tz);
    return samplePoints(this.rest).map((point) => point.applyQuaternion(rotation).add(translation));
  }

  show(frame: ObstacleFrame): void {
    const [x, y, z, w, tx, ty, tz] = frame.pose;
    this.mesh.quaternion.set(x, y, z, w);
    this.mesh.position.set(tx, ty, tz);
  }
}
