/** Reads a run that `heddle export --to html` wrote into the page; apps/server/html_export.h has the format. */
import type { ClothFrame, Frame, FrameList, Intersections, Model, ObstacleFrame, RunInfo } from "./model";
import type { DataSource } from "./source";
import { decodeModel } from "./wire";

export interface ObjectQuantisation {
  /** Vertices with positions in the frames; 0 for a rigid obstacle. */
  vertices: number;
  origin: [number, number, number];
  step: number;
  speed_step: number;
  strain_step: number;
  strained_faces: number;
  pressure_step: number;
  /** All vertices, or 0 if the run has no pressures. */
  pressed_vertices: number;
  treated_elements: number;
  /** All vertices, or 0 if the run has no components. */
  component_vertices: number;
  pace_step: number;
  /** All vertices, or 0 if all elements step alike. */
  paced_vertices: number;
}

export interface ExportHeader {
  version: number;
  frames: number[];
  times: number[];
  frames_per_chunk: number;
  chunks: number;
  objects: ObjectQuantisation[];
}

/** Undoes the differences and the two byte planes of `count` values. */
export function decodeLevels(bytes: Uint8Array, at: number, count: number, previous: Uint16Array | null): Uint16Array {
  const levels = new Uint16Array(count);
  let last = 0;
  for (let i = 0; i < count; i++) {
    const code = bytes[at + i] | (bytes[at + count + i] << 8);
    const difference = (code >>> 1) ^ -(code & 1);
    last = ((previous ? previous[i] : last) + difference) & 0xffff;
    levels[i] = last;
  }
  return levels;
}

function positionsFromLevels(levels: Uint16Array, vertices: number, q: ObjectQuantisation): Float32Array {
  const positions = new Float32Array(3 * vertices);
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < vertices; i++) positions[3 * i + k] = q.origin[k] + q.step * levels[k * vertices + i];
  }
  return positions;
}

function clothFromLevels(levels: Uint16Array, vertices: number, q: ObjectQuantisation): ClothFrame {
  const positions = positionsFromLevels(levels, vertices, q);
  const speeds = new Float32Array(vertices);
  for (let i = 0; i < vertices; i++) speeds[i] = levels[3 * vertices + i] * q.speed_step;
  const pressures = new Float32Array(q.pressed_vertices);
  for (let i = 0; i < pressures.length; i++) pressures[i] = levels[4 * vertices + i] * q.pressure_step;
  const faces = q.strained_faces;
  const strains = new Int16Array(3 * faces);
  for (let k = 0; k < 3; k++) {
    const plane = 4 * vertices + q.pressed_vertices + k * faces;
    for (let f = 0; f < faces; f++) strains[3 * f + k] = levels[plane + f];
  }
  const kinds = 4 * vertices + q.pressed_vertices + 3 * faces;
  const treatments = Uint8Array.from(levels.subarray(kinds, kinds + q.treated_elements));
  const owners = levels.subarray(kinds + q.treated_elements, kinds + q.treated_elements + q.component_vertices);
  const components = Int32Array.from(owners, (level) => level - 1);
  const paceLevels = levels.subarray(kinds + q.treated_elements + q.component_vertices);
  const paces = Float32Array.from(paceLevels, (level) => level * q.pace_step);
  return { kind: "cloth", positions, speeds, pressures, strains, strainStep: q.strain_step, treatments, components, paces };
}

/** All frames of one chunk; `first` is the position of its first frame in the run. */
export function decodeChunk(bytes: Uint8Array, model: Model, header: ExportHeader, first: number): Frame[] {
  const frames: Frame[] = [];
  const previous: (Uint16Array | null)[] = model.objects.map(() => null);
  const last = Math.min(first + header.frames_per_chunk, header.frames.length);
  let at = 0;
  for (let position = first; position < last; position++) {
    let size = 0;
    const objects = model.objects.map((object, o): ClothFrame | ObstacleFrame => {
      const q = header.objects[o];
      const isCloth = object.kind === "cloth";
      if (!isCloth && q.vertices === 0) {
        const pose = new Float32Array(bytes.slice(at, at + 28).buffer);
        at += 32;
        return { kind: "obstacle", pose, positions: null };
      }
      const kinds = q.treated_elements + q.component_vertices + q.paced_vertices;
      const count = isCloth ? 4 * object.vertices + q.pressed_vertices + 3 * q.strained_faces + kinds : 3 * object.vertices;
      const levels = decodeLevels(bytes, at, count, previous[o]);
      previous[o] = levels;
      at += 2 * count;
      size += isCloth ? 16 * object.vertices + 4 * q.pressed_vertices + 6 * q.strained_faces + 4 * kinds : 12 * object.vertices;
      if (!isCloth) return { kind: "obstacle", pose: null, positions: positionsFromLevels(levels, object.vertices, q) };
      return clothFromLevels(levels, object.vertices, q);
    });
    frames.push({ index: header.frames[position], time: header.times[position], objects, loads: new Float32Array(0), bytes: size });
  }
  return frames;
}

async function unpack(base64: string): Promise<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function elementText(id: string): string {
  const element = document.getElementById(id);
  if (!element) throw new Error("This page is incomplete: export the run again.");
  return element.textContent ?? "";
}

export class EmbeddedSource implements DataSource {
  readonly canGrow = false;
  private readonly header: ExportHeader;
  private readonly model_: Promise<Model>;
  private readonly chunks = new Map<number, Promise<Frame[]>>();
  private intersections_: Promise<(Intersections | null)[]> | null = null;

  constructor() {
    this.header = JSON.parse(elementText("heddle-export")) as ExportHeader;
    this.model_ = unpack(elementText("heddle-model")).then(decodeModel);
  }

  static isPresent(): boolean {
    return document.getElementById("heddle-export") !== null;
  }

  model(): Promise<Model> {
    return this.model_;
  }

  async frames(): Promise<FrameList> {
    return { live: false, frames: this.header.frames, times: this.header.times };
  }

  async frame(index: number): Promise<Frame> {
    const position = this.header.frames.indexOf(index);
    const chunk = Math.floor(position / this.header.frames_per_chunk);
    const frames = await this.chunk(chunk);
    return frames[position - chunk * this.header.frames_per_chunk];
  }

  async intersections(index: number): Promise<Intersections> {
    this.intersections_ ??= unpack(elementText("heddle-intersections")).then(
      (buffer) => JSON.parse(new TextDecoder().decode(buffer)) as (Intersections | null)[],
    );
    const found = (await this.intersections_)[this.header.frames.indexOf(index)];
    if (!found) throw new Error(`The intersections of frame ${index} are not known: it holds numbers that are not finite.`);
    return found;
  }

  async metrics(): Promise<string> {
    return new TextDecoder().decode(await unpack(elementText("heddle-metrics")));
  }

  async run(): Promise<RunInfo> {
    return JSON.parse(new TextDecoder().decode(await unpack(elementText("heddle-run")))) as RunInfo;
  }

  /** Keeps the chunks used last: the frame store asks for neighbours soon after. */
  private chunk(number: number): Promise<Frame[]> {
    const known = this.chunks.get(number);
    if (known) return known;
    const first = number * this.header.frames_per_chunk;
    const decoded = Promise.all([this.model_, unpack(elementText(`heddle-chunk-${number}`))]).then(([model, buffer]) =>
      decodeChunk(new Uint8Array(buffer), model, this.header, first),
    );
    this.chunks.set(number, decoded);
    const oldest = this.chunks.keys().next().value;
    if (this.chunks.size > 3 && oldest !== undefined) this.chunks.delete(oldest);
    return decoded;
  }
}
