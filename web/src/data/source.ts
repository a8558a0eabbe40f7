import type { Frame, FrameList, Intersections, Model, RunInfo } from "./model";
import { decodeFrame, decodeModel } from "./wire";

/** Where a run comes from: the server, or the page itself. */
export interface DataSource {
  /** True if frames may be added while the page is open. */
  readonly canGrow: boolean;
  model(): Promise<Model>;
  frames(): Promise<FrameList>;
  frame(index: number): Promise<Frame>;
  intersections(index: number): Promise<Intersections>;
  /** The metrics table as CSV, as far as it is written. */
  metrics(): Promise<string>;
  run(): Promise<RunInfo>;
}

async function get(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error((await response.text()).trim() || `${path}: ${response.statusText}`);
  return response;
}

export class HttpSource implements DataSource {
  readonly canGrow = true;
  private metricsText = "";
  private metricsBytes = 0;

  async model(): Promise<Model> {
    return decodeModel(await (await get("/api/model")).arrayBuffer());
  }

  async frames(): Promise<FrameList> {
    return (await (await get("/api/frames")).json()) as FrameList;
  }

  async frame(index: number): Promise<Frame> {
    return decodeFrame(await (await get(`/api/frame/${index}`)).arrayBuffer());
  }

  async intersections(index: number): Promise<Intersections> {
    return (await (await get(`/api/intersections/${index}`)).json()) as Intersections;
  }

  /** Asks only for the lines added since the last time; a line that is not yet complete waits. */
  async metrics(): Promise<string> {
    const bytes = new Uint8Array(await (await get(`/api/metrics?from=${this.metricsBytes}`)).arrayBuffer());
    const complete = bytes.lastIndexOf(10) + 1;
    this.metricsText += new TextDecoder().decode(bytes.subarray(0, complete));
    this.metricsBytes += complete;
    return this.metricsText;
  }

  async run(): Promise<RunInfo> {
    return (await (await get("/api/run")).json()) as RunInfo;
  }
}
