/** Moves the play head through the times of the frames, in real time or slower or faster. */
export class Player {
  position = 0;
  playing = false;
  loop = true;
  speed = 1;
  private times: number[] = [];
  private clock = 0;
  private last: number | null = null;

  constructor(
    private readonly isLoaded: (position: number) => boolean,
    private readonly onChange: () => void,
  ) {}

  get count(): number {
    return this.times.length;
  }

  get time(): number {
    return this.times[this.position] ?? 0;
  }

  setTimes(times: number[]): void {
    this.times = times;
    this.position = Math.min(this.position, Math.max(times.length - 1, 0));
    this.onChange();
  }

  seek(position: number): void {
    this.position = Math.min(Math.max(Math.round(position), 0), Math.max(this.count - 1, 0));
    this.clock = this.time;
    this.onChange();
  }

  seekTime(time: number): void {
    this.seek(this.positionAt(time));
  }

  setPlaying(on: boolean): void {
    if (on && !this.loop && this.position >= this.count - 1) this.seek(0);
    this.playing = on && this.count > 1;
    this.clock = this.time;
    this.last = null;
    this.onChange();
  }

  /** Called once per animation frame with its time in milliseconds. */
  tick(now: number): void {
    if (!this.playing) return;
    const elapsed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    const next = this.clock + elapsed * this.speed;
    const end = this.times[this.count - 1] + this.lastInterval();
    const last = this.count - 1;
    if (next < end) this.advance(next);
    else if (this.position === last || this.isLoaded(last)) this.wrap();
    else this.advance(this.times[last]);
  }

  private wrap(): void {
    if (this.loop) {
      this.clock = this.times[0];
      this.position = 0;
    } else {
      this.position = this.count - 1;
      this.playing = false;
    }
    this.onChange();
  }

  /** Time stands still while the frame due next is on its way. */
  private advance(clock: number): void {
    const position = this.positionAt(clock);
    if (position !== this.position && !this.isLoaded(position)) {
      const next = this.position + 1;
      if (next < position && this.isLoaded(next)) {
        this.clock = this.times[next];
        this.position = next;
        this.onChange();
      }
      return;
    }
    this.clock = clock;
    if (position === this.position) return;
    this.position = position;
    this.onChange();
  }

  private lastInterval(): number {
    return this.count > 1 ? this.times[this.count - 1] - this.times[this.count - 2] : 0;
  }

  private positionAt(time: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
