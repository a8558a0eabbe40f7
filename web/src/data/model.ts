/** The parts of a run that never change, as views on the bytes of the model message. */
export interface Material {
  name: string;
  /** Linear RGB. */
  front: [number, number, number];
  back: [number, number, number];
  pattern: string;
  /** Metres. */
  patternSize: number;
}

export interface ModelObject {
  kind: "cloth" | "obstacle";
  name: string;
  /** Metres. */
  thickness: number;
  /** Metres; 0 for all but rods. */
  radius: number;
  vertices: number;
  faces: number;
  triangles: Int32Array;
  rest: Float32Array;
  /** Two rest coordinates in metres per vertex. */
  uv: Float32Array | null;
  faceMaterial: Int32Array | null;
  /** Of force terms; none if all elements are always treated alike. */
  elements: ElementGroup[];
}

/** The elements of one force term. */
export interface ElementGroup {
  term: string;
  shape: "line" | "face" | "outline";
  count: number;
  /** Vertices: two for a line, three for the others. */
  corners: Int32Array;
}

export interface Model {
  frameRate: number;
  materials: Material[];
  objects: ModelObject[];
}

export interface ClothFrame {
  kind: "cloth";
  positions: Float32Array;
  /** Metres per second, per vertex. */
  speeds: Float32Array;
  /** Newtons, per vertex: how hard obstacles and other surfaces press; empty if the run has none. */
  pressures: Float32Array;
  /** Weft, warp and shear per face, in units of strainStep; empty if the run has none. */
  strains: Int16Array;
  strainStep: number;
  /** Per element, one group after the other: 0 inactive, 1 explicit, 2 implicit; empty if the run has none. */
  treatments: Uint8Array;
  /** Per vertex the component of the linear system, -1 if it was fixed; empty if systems were not decomposed. */
  components: Int32Array;
  /** Seconds, per vertex, from event to event of its quickest element; empty if all elements step alike. */
  paces: Float32Array;
}

export interface ObstacleFrame {
  kind: "obstacle";
  /** Rotation x, y, z, w, then translation; null if it deforms. */
  pose: Float32Array | null;
  /** Where the vertices are; null if it is rigid. */
  positions: Float32Array | null;
}

export interface Frame {
  index: number;
  /** Seconds. */
  time: number;
  objects: (ClothFrame | ObstacleFrame)[];
  /** What magnets and coils act on: centre (m), force (N), torque (N m), nine numbers each. */
  loads: Float32Array;
  bytes: number;
}

/** What passes through what in a frame. */
export interface Intersections {
  frame: number;
  /** Of triangles. */
  pairs: number;
  /** Object and face, ascending. */
  faces: [number, number][];
}

export interface FrameList {
  live: boolean;
  frames: number[];
  /** Seconds. */
  times: number[];
}

/** What run.json may tell; every field may be missing. */
export type RunInfo = Record<string, unknown>;
