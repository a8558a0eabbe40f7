import * as THREE from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { ModelObject, ObstacleFrame } from "../data/model";
import { computeNormals } from "./cloth_view";
import { samplePoints } from "./outline";

/** Sharper edges than this stay edges (rad). */
const kCrease = 0.6;

/** One obstacle on the stage. */
export class ObstacleView {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  private deforms = false;

  constructor(private readonly object: ModelObject) {
    this.mesh = new THREE.Mesh(
      toCreasedNormals(this.indexedGeometry(object.rest), kCrease),
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
    if (frame.positions) return samplePoints(frame.positions);
    const [x, y, z, w, tx, ty, tz] = frame.pose ?? [0, 0, 0, 1, 0, 0, 0];
    const rotation = new THREE.Quaternion(x, y, z, w);
    const translation = new THREE.Vector3(tx, ty, tz);
    return samplePoints(this.object.rest).map((point) => point.applyQuaternion(rotation).add(translation));
  }

  show(frame: ObstacleFrame): void {
    if (frame.positions) {
      this.showPositions(frame.positions);
    } else if (frame.pose) {
      const [x, y, z, w, tx, ty, tz] = frame.pose;
      this.mesh.quaternion.set(x, y, z, w);
      this.mesh.position.set(tx, ty, tz);
    }
  }

  private indexedGeometry(positions: Float32Array): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(this.object.triangles), 1));
    return geometry;
  }

  /** What deforms gets smooth normals: finding its creases anew in every frame would take too long. */
  private showPositions(positions: Float32Array): void {
    if (!this.deforms) {
      this.mesh.geometry.dispose();
      this.mesh.geometry = this.indexedGeometry(Float32Array.from(positions));
      this.mesh.geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(positions.length), 3));
      this.mesh.frustumCulled = false;
      this.deforms = true;
    }
    const { position, normal } = this.mesh.geometry.attributes;
    position.array.set(positions);
    computeNormals(positions, this.object.triangles, normal.array as Float32Array);
    position.needsUpdate = normal.needsUpdate = true;
  }
}
