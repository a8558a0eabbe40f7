import * as THREE from "three";
import { kMarkColour } from "./colour_maps";

/** Some faces of a mesh in a bright colour, faintly also through what hides them. */
export class FaceMarks {
  readonly group = new THREE.Group();
  private readonly geometry = new THREE.BufferGeometry();
  private readonly index: THREE.BufferAttribute;

  /** Shares the vertices of the mesh that it marks. */
  constructor(
    mesh: THREE.BufferGeometry,
    private readonly triangles: Int32Array,
  ) {
    this.geometry.setAttribute("position", mesh.getAttribute("position"));
    this.geometry.setAttribute("normal", mesh.getAttribute("normal"));
    this.index = new THREE.BufferAttribute(new Uint32Array(triangles.length), 1).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setIndex(this.index);
    const shared = { color: kMarkColour, side: THREE.DoubleSide, toneMapped: false };
    const seen = new THREE.MeshBasicMaterial(shared);
    const hidden = new THREE.MeshBasicMaterial({ ...shared, transparent: true, opacity: 0.3, depthTest: false });
    for (const material of [seen, hidden]) {
      const marks = new THREE.Mesh(this.geometry, material);
      marks.frustumCulled = false;
      this.group.add(marks);
    }
    this.show([]);
  }

  show(faces: number[]): void {
    const { array } = this.index;
    faces.forEach((face, at) => array.set(this.triangles.subarray(3 * face, 3 * face + 3), 3 * at));
    this.index.needsUpdate = true;
    this.geometry.setDrawRange(0, 3 * faces.length);
    this.group.visible = faces.length > 0;
  }
}
