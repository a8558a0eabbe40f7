/** Decodes the messages that apps/server/wire.h describes. */
import type { ClothFrame, ElementGroup, Frame, Material, Model, ModelObject, ObstacleFrame } from "./model";

const kVersion = 5;
const kModelMagic = 0x4d4c4448;
const kFrameMagic = 0x464c4448;
/** Bytes before the arrays of every object. */
const kObjectHeader = 32;
/** Numbers of a magnetic load. */
const kLoadSize = 9;

function checkStart(view: DataView, magic: number, what: string): void {
  if (view.byteLength < 16 || view.getUint32(0, true) !== magic) throw new Error(`This is not a ${what}.`);
  const version = view.getUint32(4, true);
  if (version !== kVersion) {
    throw new Error(`The ${what} has version ${version}, this page reads ${kVersion}: reload the page.`);
  }
}

interface ObjectHeader {
  kind: "cloth" | "obstacle";
  name: string;
  thickness: number;
  radius: number;
  vertices: number;
  faces: number;
  triangles: number;
  rest: number;
  uv: number;
  face_material: number;
  elements: { term: string; shape: ElementGroup["shape"]; count: number; corners: number }[];
}

interface MaterialHeader extends Omit<Material, "patternSize"> {
  pattern_size: number;
}

interface ModelHeader {
  frame_rate: number;
  materials: MaterialHeader[];
  objects: ObjectHeader[];
}

export function decodeModel(buffer: ArrayBuffer): Model {
  const view = new DataView(buffer);
  checkStart(view, kModelMagic, "model");
  const headerBytes = view.getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16, headerBytes))) as ModelHeader;
  const body = 16 + headerBytes;
  const floats = (offset: number, count: number) => new Float32Array(buffer, body + offset, count);
  const ints = (offset: number, count: number) => new Int32Array(buffer, body + offset, count);
  const object = (o: ObjectHeader): ModelObject => ({
    kind: o.kind,
    name: o.name,
    thickness: o.thickness,
    radius: o.radius,
    vertices: o.vertices,
    faces: o.faces,
    triangles: o.triangles < 0 ? new Int32Array(0) : ints(o.triangles, 3 * o.faces),
    rest: o.rest < 0 ? new Float32Array(0) : floats(o.rest, 3 * o.vertices),
    uv: o.uv < 0 ? null : floats(o.uv, 2 * o.vertices),
    faceMaterial: o.face_material < 0 ? null : ints(o.face_material, o.faces),
    elements: o.elements.map(({ term, shape, count, corners }) => ({
      term,
      shape,
      count,
      corners: ints(corners, (shape === "line" ? 2 : 3) * count),
    })),
  });
  return {
    frameRate: header.frame_rate,
    materials: header.materials.map(({ pattern_size, ...rest }) => ({ ...rest, patternSize: pattern_size })),
    objects: header.objects.map(object),
  };
}

export function decodeFrame(buffer: ArrayBuffer): Frame {
  const view = new DataView(buffer);
  checkStart(view, kFrameMagic, "frame");
  const objects: Frame["objects"] = [];
  let at = 32;
  for (let remaining = view.getUint32(24, true); remaining > 0; remaining--) {
    const isCloth = view.getUint32(at, true) === 0;
    const decoded = isCloth ? decodeCloth(buffer, view, at) : decodeObstacle(buffer, view, at);
    objects.push(decoded.object);
    at = decoded.end;
  }
  return {
    index: Number(view.getBigInt64(16, true)),
    time: view.getFloat64(8, true),
    objects,
    loads: new Float32Array(buffer, at, kLoadSize * view.getUint32(28, true)),
    bytes: buffer.byteLength,
  };
}

function decodeCloth(buffer: ArrayBuffer, view: DataView, at: number): { object: ClothFrame; end: number } {
  const vertices = view.getUint32(at + 4, true);
  const faces = view.getUint32(at + 8, true);
  const pressed = view.getUint32(at + 12, true);
  const positions = at + kObjectHeader;
  const speeds = positions + 12 * vertices;
  const pressures = speeds + 4 * vertices;
  const treated = view.getUint32(at + 20, true);
  const inComponents = view.getUint32(at + 24, true);
  const components = pressures + 4 * pressed;
  const paced = view.getUint32(at + 28, true);
  const paces = components + 4 * inComponents;
  const strains = paces + 4 * paced;
  const treatments = strains + 6 * faces;
  const object: ClothFrame = {
    kind: "cloth",
    positions: new Float32Array(buffer, positions, 3 * vertices),
    speeds: new Float32Array(buffer, speeds, vertices),
    pressures: new Float32Array(buffer, pressures, pressed),
    strains: new Int16Array(buffer, strains, 3 * faces),
    strainStep: view.getFloat32(at + 16, true),
    treatments: new Uint8Array(buffer, treatments, treated),
    components: new Int32Array(buffer, components, inComponents),
    paces: new Float32Array(buffer, paces, paced),
  };
  return { object, end: (treatments + treated + 3) & ~3 };
}

function decodeObstacle(buffer: ArrayBuffer, view: DataView, at: number): { object: ObstacleFrame; end: number } {
  const vertices = view.getUint32(at + 4, true);
  const start = at + kObjectHeader;
  if (vertices === 0) {
    return { object: { kind: "obstacle", pose: new Float32Array(buffer, start, 7), positions: null }, end: start + 32 };
  }
  const positions = new Float32Array(buffer, start, 3 * vertices);
  return { object: { kind: "obstacle", pose: null, positions }, end: start + 12 * vertices };
}
