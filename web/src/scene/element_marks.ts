import * as THREE from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { ColouredLines } from "./kinds";

const kLineWidth = 1.6;

const known = new Map<string, THREE.Color>();
function colourOf(code: string): THREE.Color {
  const colour = known.get(code) ?? new THREE.Color(code);
  known.set(code, colour);
  return colour;
}

/** The faces of a cloth, each in a colour of its own, and lines over them. */
export class ElementMarks {
  readonly group = new THREE.Group();
  private readonly geometry = new THREE.BufferGeometry();
  private lines: LineSegments2 | null = null;

  constructor(private readonly triangles: Int32Array) {
    for (const name of ["position", "normal", "color"]) {
      this.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * triangles.length), 3).setUsage(THREE.DynamicDrawUsage));
    }
    const material = new THREE.MeshStandardMaterial({
      vertexColors: true,
      side: THREE.DoubleSide,
      roughness: 0.92,
      metalness: 0,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    const mesh = new THREE.Mesh(this.geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.group.add(mesh);
  }

  /** `colours`: one for each face. */
  show(positions: Float32Array, normals: Float32Array, colours: string[], lines: ColouredLines): void {
    const [at, normal, colour] = ["position", "normal", "color"].map((name) => this.geometry.getAttribute(name) as THREE.BufferAttribute);
    this.triangles.forEach((vertex, corner) => {
      at.array.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * corner);
      normal.array.set(normals.subarray(3 * vertex, 3 * vertex + 3), 3 * corner);
      colourOf(colours[Math.floor(corner / 3)]).toArray(colour.array as Float32Array, 3 * corner);
    });
    at.needsUpdate = normal.needsUpdate = colour.needsUpdate = true;
    this.showLines(lines);
  }

  private showLines(lines: ColouredLines): void {
    if (this.lines) {
      this.group.remove(this.lines);
      this.lines.geometry.dispose();
      this.lines.material.dispose();
      this.lines = null;
    }
    if (lines.colours.length === 0) return;
    const colours = new Float32Array(6 * lines.colours.length);
    lines.colours.forEach((code, i) => {
      colourOf(code).toArray(colours, 6 * i);
      colourOf(code).toArray(colours, 6 * i + 3);
    });
    const geometry = new LineSegmentsGeometry().setPositions(lines.positions).setColors(colours);
    this.lines = new LineSegments2(geometry, new LineMaterial({ linewidth: kLineWidth, vertexColors: true }));
    this.lines.frustumCulled = false;
    this.group.add(this.lines);
  }
}
