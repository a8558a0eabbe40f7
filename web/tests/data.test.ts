import { describe, expect, it } from "vitest";
import { decodeChunk, decodeLevels, type ObjectQuantisation } from "../src/data/embedded";
import { FrameStore } from "../src/data/frame_store";
import { missingFrames } from "../src/data/gaps";
import { IntersectionStore } from "../src/data/intersection_store";
import { parseMetrics, plotGroups, rowAt } from "../src/data/metrics";
import type { ClothFrame, Frame, Intersections, Model, ModelObject } from "../src/data/model";
import { Player } from "../src/player";
import { computeNormals } from "../src/scene/cloth_view";
import { colourModesOf, frameExtremes, kScalarModes, LegendRanges, niceCeiling, vertexScalars, type ScalarMode } from "../src/scene/colouring";
import { pairsText } from "../src/ui/legend";
import { axisTicks } from "../src/ui/plot_drawing";

const frame = (index: number, bytes = 1): Frame => ({ index, time: index / 25, objects: [], loads: new Float32Array(0), bytes });
const cloth = (part: Partial<ClothFrame>): ClothFrame => ({
  kind: "cloth",
  positions: new Float32Array(0),
  speeds: new Float32Array(0),
  pressures: new Float32Array(0),
  strains: new Int16Array(0),
  strainStep: 1,
  treatments: new Uint8Array(0),
  components: new Int32Array(0),
  paces: new Float32Array(0),
  ...part,
});
const triangle: ModelObject = {
  kind: "cloth",
  name: "",
  thickness: 0,
  radius: 0,
  vertices: 3,
  faces: 1,
  triangles: Int32Array.from([0, 1, 2]),
  rest: new Float32Array(9),
  uv: null,
  faceMaterial: null,
  elements: [],
};
const modelOf = (...objects: ModelObject[]): Model => ({ frameRate: 25, materials: [], objects });
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("metrics", () => {
  const csv = "step,time,kinetic_energy,iterations,seconds_integrate\n0,0,1.5,3,10\n1,0.01,,4,11\n2,0.02,2.5,5,12\n";

  it("reads columns, with gaps as NaN", () => {
    const metrics = parseMetrics(csv);
    expect([...metrics.time]).toEqual([0, 0.01, 0.02]);
    expect(metrics.columns.map(({ name }) => name)).toEqual(["kinetic_energy", "iterations", "seconds_integrate"]);
    expect(metrics.columns[0].values[1]).toBeNaN();
    expect(rowAt(metrics, 0.015)).toBe(1);
  });

  it("groups columns and tolerates an empty table", () => {
    expect(plotGroups(parseMetrics(csv)).map(({ title }) => title)).toEqual(["Energy (J)", "Iterations", "Time per stage (s)"]);
    expect(plotGroups(parseMetrics(""))).toEqual([]);
    expect(plotGroups(parseMetrics("time,energy\n"))).toEqual([]);
  });
});

describe("missing frames", () => {
  it("names every gap", () => {
    expect(missingFrames([])).toBe("");
    expect(missingFrames([0, 1, 2])).toBe("");
    expect(missingFrames([0, 2])).toBe("frame 1");
    expect(missingFrames([0, 3, 4])).toBe("frames 1 to 2");
    expect(missingFrames([1, 2, 5, 6, 8])).toBe("frames 0, 3 to 4, 7");
  });
});

describe("intersections", () => {
  const found = (index: number): Intersections => ({ frame: index, pairs: index, faces: [] });

  it("asks once for a frame, and after a slow answer for the latest only", async () => {
    const asked: number[] = [];
    const answers: (() => void)[] = [];
    const store = new IntersectionStore((index) => {
      asked.push(index);
      return new Promise((answer) => answers.push(() => answer(found(index))));
    });
    const told: number[] = [];
    store.onFound = (index) => told.push(index);
    for (const index of [3, 3, 4, 5, 3, 6]) expect(store.want(index)).toBeUndefined();
    expect(asked).toEqual([3]);
    answers[0]();
    await settle();
    expect(told).toEqual([3]);
    expect(asked).toEqual([3, 6]);
    answers[1]();
    await settle();
    expect(store.want(3)?.pairs).toBe(3);
    expect(store.get(6)?.pairs).toBe(6);
    expect(asked).toEqual([3, 6]);
  });

  it("gives up on a frame that cannot be counted", async () => {
    const errors: string[] = [];
    const store = new IntersectionStore((index) => (index === 1 ? Promise.reject(new Error("not finite")) : Promise.resolve(found(index))));
    store.onError = (message) => errors.push(message);
    store.want(1);
    await settle();
    store.want(1);
    await settle();
    expect(store.hasFailed(1)).toBe(true);
    expect(errors).toEqual(["not finite"]);
    store.want(2);
    await settle();
    expect(store.get(2)?.pairs).toBe(2);
  });

  it("are told in words", () => {
    expect([0, 1, 7, "counting …"].map(pairsText)).toEqual(["none", "1 pair of triangles", "7 pairs of triangles", "counting …"]);
  });
});

describe("contact", () => {
  const mode = kScalarModes.contact!;
  const pressures = Float32Array.from([...new Array<number>(997).fill(0), 0.25, 0.5, 0.125]);
  const pressed: Frame = { ...frame(0), objects: [cloth({ pressures })] };

  it("finds limits from the vertices that are pressed, however few", () => {
    const ranges = new LegendRanges(modelOf(triangle));
    ranges.include("contact", pressed);
    expect(ranges.range("contact")).toEqual({ low: 0, high: 0.5 });
    expect(frameExtremes(mode, modelOf(triangle), pressed)).toEqual({ low: 0, high: 0.5 });
  });

  it("is zero in runs that do not hold it", () => {
    const out = Float32Array.from([7, 7, 7]);
    vertexScalars(mode, triangle, cloth({}), out);
    expect([...out]).toEqual([0, 0, 0]);
    expect(frameExtremes(mode, modelOf(triangle), { ...frame(0), objects: [cloth({})] })).toBeNull();
    vertexScalars(mode, triangle, cloth({ pressures: Float32Array.from([1, 2, 3]) }), out);
    expect([...out]).toEqual([1, 2, 3]);
  });

  it("shows the steps of elements and how many events they make", () => {
    const out = new Float32Array(3);
    const paced = cloth({ paces: Float32Array.from([0.5, 0.25, 0]) });
    vertexScalars(kScalarModes.step as ScalarMode, triangle, paced, out);
    expect([...out]).toEqual([0.5, 0.25, 0]);
    vertexScalars(kScalarModes.events as ScalarMode, triangle, paced, out);
    expect([...out]).toEqual([2, 4, 0]);
    const shown: Frame = { ...frame(0), objects: [paced] };
    expect(frameExtremes(kScalarModes.events as ScalarMode, modelOf(triangle), shown)).toEqual({ low: 0, high: 4 });
  });
});

describe("exported levels", () => {
  it("hold pressures between speeds and strains, then treatments, components and paces", () => {
    const q: ObjectQuantisation = {
      vertices: 3, origin: [0, 0, 0], step: 1, speed_step: 1, strain_step: 0.5, strained_faces: 1, pressure_step: 0.25, pressed_vertices: 3,
      treated_elements: 1, component_vertices: 3, pace_step: 0.5, paced_vertices: 3,
    };
    const levels = [...Array.from({ length: 18 }, (_, i) => i), 18, 19, 20, 21, 22, 23, 24];
    const differences = levels.map((level, i) => 2 * (level - (i > 0 ? levels[i - 1] : 0)));
    const bytes = Uint8Array.from([...differences, ...differences.map(() => 0)]);
    const model = { frameRate: 25, materials: [], objects: [triangle] };
    const header = { version: 3, frames: [4], times: [0.16], frames_per_chunk: 8, chunks: 1, objects: [q] };
    const [decoded] = decodeChunk(bytes, model, header, 0);
    const [object] = decoded.objects;
    if (object.kind !== "cloth") throw new Error("wrong kind");
    expect([...object.speeds]).toEqual([9, 10, 11]);
    expect([...object.pressures]).toEqual([3, 3.25, 3.5]);
    expect([...object.strains]).toEqual([15, 16, 17]);
    expect([...object.treatments]).toEqual([18]);
    expect([...object.components]).toEqual([18, 19, 20]);
    expect([...object.paces]).toEqual([11, 11.5, 12]);
  });

  it("undoes differences in space, then in time", () => {
    const zigzag = (d: number) => ((d << 1) ^ (d >> 31)) & 0xffff;
    const code = (differences: number[]) =>
      Uint8Array.from([...differences.map((d) => zigzag(d) & 255), ...differences.map((d) => zigzag(d) >> 8)]);
    const first = decodeLevels(code([1000, -1, 300]), 0, 3, null);
    expect([...first]).toEqual([1000, 999, 1299]);
    expect([...decodeLevels(code([-1000, 1, 0]), 0, 3, first)]).toEqual([0, 1000, 1299]);
  });
});

describe("frame store", () => {
  it("fetches the wanted frame first and the rest after it", async () => {
    const asked: number[] = [];
    const store = new FrameStore(async (index) => (asked.push(index), frame(index)));
    store.setIndices([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    store.want(5);
    await settle();
    expect(asked.length).toBe(10);
    expect(asked.indexOf(5)).toBeLessThan(5);
    expect(store.get(9)?.index).toBe(9);
  });

  it("stays within its memory and keeps the wanted frame", async () => {
    const store = new FrameStore(async (index) => frame(index, 10), 50);
    store.setIndices(Array.from({ length: 100 }, (_, i) => i));
    for (const position of [0, 99, 50]) {
      store.want(position);
      await settle();
      expect(store.isLoaded(position)).toBe(true);
      const kept = Array.from({ length: 100 }, (_, i) => i).filter((i) => store.isLoaded(i));
      expect(kept.length).toBeLessThanOrEqual(5);
    }
  });

  it("reports a broken frame once and goes on", async () => {
    const errors: string[] = [];
    const store = new FrameStore((index) => (index === 1 ? Promise.reject(new Error("damaged")) : Promise.resolve(frame(index))));
    store.onError = (message) => errors.push(message);
    store.setIndices([0, 1, 2]);
    store.want(0);
    await settle();
    expect(errors).toEqual(["Frame 1: damaged"]);
    expect(store.isLoaded(2)).toBe(true);
  });
});

describe("player", () => {
  const times = [0, 0.04, 0.08, 0.12];

  it("keeps the time of the run", () => {
    const player = new Player(() => true, () => {});
    player.setTimes(times);
    player.setPlaying(true);
    player.tick(1000);
    player.tick(1090);
    expect(player.position).toBe(2);
    player.speed = 0.5;
    player.tick(1150);
    expect(player.position).toBe(3);
  });

  it("waits for frames that are not there, and stops at the end", () => {
    let loaded = false;
    const player = new Player(() => loaded, () => {});
    player.setTimes(times);
    player.loop = false;
    player.setPlaying(true);
    player.tick(0);
    player.tick(200);
    expect(player.position).toBe(0);
    loaded = true;
    player.tick(450);
    expect(player.playing).toBe(false);
    expect(player.position).toBe(3);
  });
});

describe("strains", () => {
  const rod: ModelObject = { ...triangle, radius: 0.01 };
  const strained = (strains: number[]) => cloth({ strains: Int16Array.from(strains), strainStep: 0.5 });

  it("belong to cloths or to rods, by their names", () => {
    const model = modelOf(triangle, rod);
    const shown: Frame = { ...frame(0), objects: [strained([2, 4, 6]), strained([-8, 10, -12])] };
    expect(frameExtremes(kScalarModes.weft!, model, shown)).toEqual({ low: 1, high: 1 });
    expect(frameExtremes(kScalarModes.tension!, model, shown)).toEqual({ low: -4, high: -4 });
    expect(frameExtremes(kScalarModes.curvature!, model, shown)).toEqual({ low: 5, high: 5 });
    expect(frameExtremes(kScalarModes.twist!, model, shown)).toEqual({ low: -6, high: -6 });
    const out = new Float32Array(3);
    vertexScalars(kScalarModes.twist!, rod, strained([0, 0, -12]), out);
    expect([...out]).toEqual([-6, -6, -6]);
    vertexScalars(kScalarModes.twist!, triangle, strained([0, 0, -12]), out);
    expect([...out]).toEqual([0, 0, 0]);
  });

  it("are offered where there are such things", () => {
    const names = (...objects: ModelObject[]) => colourModesOf(modelOf(...objects)).map(({ mode }) => mode);
    expect(names(triangle)).toContain("weft");
    expect(names(triangle)).not.toContain("twist");
    expect(names(rod)).not.toContain("weft");
    expect(names(rod)).toEqual(expect.arrayContaining(["tension", "curvature", "twist", "contact"]));
    expect(names(rod, triangle)).toEqual(expect.arrayContaining(["warp", "twist"]));
  });
});

describe("numbers", () => {
  it("rounds limits up and keeps them while values are smaller", () => {
    expect([0.0123, 0.02, 3.1, 0].map(niceCeiling)).toEqual([0.02, 0.02, 5, 0.001]);
    const ranges = new LegendRanges(modelOf());
    ranges.choose("speed", 3);
    expect(ranges.range("speed")).toEqual({ low: 0, high: 3 });
    ranges.choose("weft", 0.1);
    expect(ranges.range("weft")).toEqual({ low: -0.1, high: 0.1 });
  });

  it("covers the range of an axis", () => {
    const ticks = axisTicks(0.3, 9.7);
    expect(ticks[0]).toBeLessThanOrEqual(0.3);
    expect(ticks[ticks.length - 1]).toBeGreaterThanOrEqual(9.7);
    expect(ticks.length).toBeLessThan(8);
  });

  it("computes unit normals", () => {
    const normals = new Float32Array(9);
    computeNormals(Float32Array.from([0, 0, 0, 2, 0, 0, 0, 3, 0]), [0, 1, 2], normals);
    expect([...normals]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  });
});
