import * as THREE from "three";
import type { ClothFrame, Material, Model, ModelObject } from "../data/model";
import { ClothMaterial } from "./cloth_material";
import { kCategorical, kPlainColour } from "./colour_maps";
import { kScalarModes, vertexScalars, type ColourMode, type Range } from "./colouring";
import { ElementMarks } from "./element_marks";
import { FaceMarks } from "./face_marks";
import { componentColours, elementLines, faceElements, treatmentColours } from "./kinds";

const kPlainFabric: Material = { name: "", front: [0.6, 0.6, 0.6], back: [0.5, 0.5, 0.5], pattern: "plain", patternSize: 1 };

/** Faces sorted by material, so that each material draws one range of the index. */
function sortedByMaterial(object: ModelObject): { index: Uint32Array; ranges: { material: number; start: number; count: number }[] } {
  const order = Array.from({ length: object.faces }, (_, f) => f);
  const materialOf = (f: number) => object.faceMaterial?.[f] ?? 0;
  order.sort((a, b) => materialOf(a) - materialOf(b) || a - b);
  const index = new Uint32Array(3 * object.faces);
  const ranges: { material: number; start: number; count: number }[] = [];
  order.forEach((f, at) => {
    for (let k = 0; k < 3; k++) index[3 * at + k] = object.triangles[3 * f + k];
    const last = ranges.at(-1);
    if (last && last.material === materialOf(f)) last.count += 3;
    else ranges.push({ material: materialOf(f), start: 3 * at, count: 3 });
  });
  return { index, ranges };
}

function uniqueEdges(triangles: Int32Array, vertices: number): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k];
      const b = triangles[t + ((k + 1) % 3)];
      const key = a < b ? a * vertices + b : b * vertices + a;
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(a, b);
    }
  }
  return Uint32Array.from(edges);
}

/** Vertex normals weighted by the area of the faces around. */
export function computeNormals(positions: Float32Array, triangles: ArrayLike<number>, normals: Float32Array): void {
  normals.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    normals[a] += nx; normals[a + 1] += ny; normals[a + 2] += nz;
    normals[b] += nx; normals[b + 1] += ny; normals[b + 2] += nz;
    normals[c] += nx; normals[c + 1] += ny; normals[c + 2] += nz;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
    normals[i] /= length; normals[i + 1] /= length; normals[i + 2] /= length;
  }
}

/** One cloth on the stage. */
export class ClothView {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, ClothMaterial[]>;
  private edges: THREE.LineSegments | null = null;
  private marks: FaceMarks | null = null;
  private elements: ElementMarks | null = null;
  private faceElements: Int32Array | null = null;
  private readonly position: THREE.BufferAttribute;
  private readonly normal: THREE.BufferAttribute;
  private readonly scalar: THREE.BufferAttribute;
  private readonly lineMaterial: THREE.LineBasicMaterial;

  constructor(
    readonly object: ModelObject,
    model: Model,
  ) {
    const n = object.vertices;
    this.position = new THREE.BufferAttribute(new Float32Array(3 * n), 3).setUsage(THREE.DynamicDrawUsage);
    this.normal = new THREE.BufferAttribute(new Float32Array(3 * n), 3).setUsage(THREE.DynamicDrawUsage);
    this.scalar = new THREE.BufferAttribute(new Float32Array(n), 1).setUsage(THREE.DynamicDrawUsage);
    const { index, ranges } = sortedByMaterial(object);
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("normal", this.normal);
    geometry.setAttribute("scalar", this.scalar);
    geometry.setAttribute("restUv", new THREE.BufferAttribute(object.uv ?? new Float32Array(2 * n), 2));
    ranges.forEach((range, at) => geometry.addGroup(range.start, range.count, at));
    const materials = ranges.map(
      ({ material }) =>
        new ClothMaterial(
          model.materials[material] ?? kPlainFabric,
          kCategorical[Math.max(material, 0) % kCategorical.length],
          object.uv !== null,
        ),
    );
    this.mesh = new THREE.Mesh(geometry, materials);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.lineMaterial = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 });
  }

  show(frame: ClothFrame): void {
    this.position.array.set(frame.positions);
    computeNormals(frame.positions, this.object.triangles, this.normal.array as Float32Array);
    this.position.needsUpdate = this.normal.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
  }

  colour(mode: ColourMode, frame: ClothFrame, range: Range): void {
    const scalar = kScalarModes[mode];
    if (scalar) {
      vertexScalars(scalar, this.object, frame, this.scalar.array as Float32Array);
      this.scalar.needsUpdate = true;
    }
    const ofKinds = mode === "treatment" || mode === "components";
    if (ofKinds) this.showKinds(mode, frame);
    if (this.elements) this.elements.group.visible = ofKinds;
    for (const material of this.mesh.material) {
      material.visible = !ofKinds;
      if (scalar) material.showScalar(scalar.map, range);
      else if (mode === "material") material.showFlat();
      else if (mode === "intersections") material.showFlat(kPlainColour);
      else material.showFabric();
    }
  }

  private showKinds(mode: "treatment" | "components", frame: ClothFrame): void {
    if (!this.elements) {
      this.elements = new ElementMarks(this.object.triangles);
      this.mesh.add(this.elements.group);
    }
    this.faceElements ??= faceElements(this.object);
    const normals = this.normal.array as Float32Array;
    if (mode === "components") {
      const none = { positions: new Float32Array(0), colours: [] };
      this.elements.show(frame.positions, normals, componentColours(this.object, frame), none);
      return;
    }
    const colours = treatmentColours(this.faceElements, frame);
    this.elements.show(frame.positions, normals, colours, elementLines(this.object, frame, normals));
  }

  /** Faces that stand out. */
  mark(faces: number[]): void {
    if (!this.marks && faces.length === 0) return;
    if (!this.marks) {
      this.marks = new FaceMarks(this.mesh.geometry, this.object.triangles);
      this.mesh.add(this.marks.group);
    }
    this.marks.show(faces);
  }

  setWireframe(on: boolean, colour: THREE.Color): void {
    if (on && !this.edges) this.edges = this.createEdges();
    if (this.edges) this.edges.visible = on;
    this.lineMaterial.color.copy(colour);
  }

  private createEdges(): THREE.LineSegments {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setIndex(new THREE.BufferAttribute(uniqueEdges(this.object.triangles, this.object.vertices), 1));
    const lines = new THREE.LineSegments(geometry, this.lineMaterial);
    lines.frustumCulled = false;
    this.mesh.add(lines);
    return lines;
  }
}
