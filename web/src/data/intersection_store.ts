import type { Intersections } from "./model";

const kMostFrames = 2000;

/** Asks for the intersections of frames that are shown, one frame at a time, the latest first, and keeps them. */
export class IntersectionStore {
  onFound: (index: number) => void = () => {};
  onError: (message: string) => void = () => {};
  private readonly known = new Map<number, Intersections>();
  private readonly failed = new Set<number>();
  private wanted: number | null = null;
  private asked: number | null = null;

  constructor(private readonly fetchFrame: (index: number) => Promise<Intersections>) {}

  /** Undefined while they are not known; onFound tells when they are. */
  want(index: number): Intersections | undefined {
    const found = this.known.get(index);
    this.wanted = found || this.failed.has(index) || this.asked === index ? null : index;
    void this.ask();
    return found;
  }

  get(index: number): Intersections | undefined {
    return this.known.get(index);
  }

  hasFailed(index: number): boolean {
    return this.failed.has(index);
  }

  private async ask(): Promise<void> {
    if (this.asked !== null || this.wanted === null) return;
    const index = (this.asked = this.wanted);
    this.wanted = null;
    try {
      this.keep(index, await this.fetchFrame(index));
    } catch (error) {
      this.failed.add(index);
      this.onError(error instanceof Error ? error.message : String(error));
    }
    this.asked = null;
    this.onFound(index);
    void this.ask();
  }

  private keep(index: number, found: Intersections): void {
    this.known.set(index, found);
    const oldest = this.known.keys().next().value;
    if (this.known.size > kMostFrames && oldest !== undefined) this.known.delete(oldest);
  }
}
