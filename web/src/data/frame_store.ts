import type { Frame } from "./model";

const kBudgetBytes = 600e6;
const kParallelRequests = 4;
const kFramesAhead = 48;

/**
 * Frames by position in the run, fetched ahead of the play head and forgotten when memory runs short,
 * farthest from the play head first.
 */
export class FrameStore {
  onFrame: (position: number) => void = () => {};
  onError: (message: string) => void = () => {};
  private indices: number[] = [];
  private readonly loaded = new Map<number, Frame>();
  private readonly pending = new Set<number>();
  private readonly failed = new Set<number>();
  private bytes = 0;
  private wanted = 0;

  constructor(
    private readonly fetchFrame: (index: number) => Promise<Frame>,
    private readonly budget = kBudgetBytes,
  ) {}

  setIndices(indices: number[]): void {
    this.indices = indices;
    this.fill();
  }

  get(position: number): Frame | undefined {
    return this.loaded.get(position);
  }

  /** Moves the play head: this frame is fetched first, then the ones that follow, then those before. */
  want(position: number): Frame | undefined {
    this.wanted = position;
    this.fill();
    return this.loaded.get(position);
  }

  /** A frame outside the order of play, for measuring the run. */
  async load(position: number): Promise<Frame> {
    const known = this.loaded.get(position);
    if (known) return known;
    const frame = await this.fetchFrame(this.indices[position]);
    this.keep(position, frame);
    return frame;
  }

  isLoaded(position: number): boolean {
    return this.loaded.has(position);
  }

  private *order(): Generator<number> {
    const count = this.indices.length;
    yield this.wanted;
    for (let ahead = 1; ahead <= kFramesAhead; ahead++) {
      // Past the end playing starts over.
      yield (this.wanted + ahead) % Math.max(count, 1);
      if (ahead <= kFramesAhead / 4) yield this.wanted - ahead;
    }
    for (let position = 0; position < count; position++) yield position;
  }

  private fill(): void {
    for (const position of this.order()) {
      if (this.pending.size >= kParallelRequests) return;
      if (position < 0 || position >= this.indices.length) continue;
      if (this.loaded.has(position) || this.pending.has(position) || this.failed.has(position)) continue;
      if (position !== this.wanted && this.isFull(position)) return;
      void this.fetch(position);
    }
  }

  /** True if keeping `position` would push out a frame nearer to the play head. */
  private isFull(position: number): boolean {
    if (this.loaded.size === 0) return false;
    const typical = this.bytes / this.loaded.size;
    if (this.bytes + typical * (this.pending.size + 1) <= this.budget) return false;
    return this.distance(position) >= Math.max(...[...this.loaded.keys()].map((p) => this.distance(p)));
  }

  private async fetch(position: number): Promise<void> {
    this.pending.add(position);
    try {
      this.keep(position, await this.fetchFrame(this.indices[position]));
      this.onFrame(position);
    } catch (error) {
      this.failed.add(position);
      this.onError(`Frame ${this.indices[position]}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.pending.delete(position);
      this.fill();
    }
  }

  private keep(position: number, frame: Frame): void {
    if (this.loaded.has(position)) return;
    this.loaded.set(position, frame);
    this.bytes += frame.bytes;
    while (this.bytes > this.budget && this.loaded.size > 1) {
      let farthest = position;
      for (const p of this.loaded.keys()) if (this.distance(p) > this.distance(farthest)) farthest = p;
      this.bytes -= this.loaded.get(farthest)?.bytes ?? 0;
      this.loaded.delete(farthest);
      if (farthest === position) return;
    }
  }

  /** Frames ahead are nearer than frames behind. */
  private distance(position: number): number {
    const ahead = position - this.wanted;
    return ahead >= 0 ? ahead : -2 * ahead;
  }
}
