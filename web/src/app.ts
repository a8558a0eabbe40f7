import * as THREE from "three";
import { FrameStore } from "./data/frame_store";
import { missingFrames } from "./data/gaps";
import { IntersectionStore } from "./data/intersection_store";
import { LiveConnection } from "./data/live";
import { parseMetrics } from "./data/metrics";
import type { Frame, FrameList, Model } from "./data/model";
import type { DataSource } from "./data/source";
import { Player } from "./player";
import { colourModesOf, frameExtremes, kScalarModes, LegendRanges, type ColourMode } from "./scene/colouring";
import { componentSizes, countTreatments } from "./scene/kinds";
import { Grabber } from "./scene/grab";
import { Stage } from "./scene/stage";
import { World } from "./scene/world";
import { Layout } from "./ui/layout";
import { pairsText } from "./ui/legend";
import type { DisplayOptions, DisplayPart } from "./ui/panel";
import { savePicture } from "./ui/picture";
import { installShortcuts } from "./ui/shortcuts";
import { kSpeeds } from "./ui/transport";

const kPollSeconds = 2;
const kGapsSeconds = 20;

/** Connects the data, the stage and the controls. */
export class App {
  private readonly stage: Stage;
  private readonly world: World;
  private readonly store: FrameStore;
  private readonly intersections: IntersectionStore;
  private readonly player: Player;
  private readonly ranges: LegendRanges;
  private readonly live: LiveConnection | null = null;
  private readonly grabber: Grabber | null = null;
  private readonly options: DisplayOptions = { mode: "fabric", wireframe: false, obstacles: true, grid: true, forces: true };
  private following = false;
  private indices: number[] = [];
  private framed = false;

  constructor(
    private readonly source: DataSource,
    private readonly model: Model,
    list: FrameList,
    private readonly layout: Layout,
  ) {
    this.ranges = new LegendRanges(model);
    this.stage = new Stage(layout.canvas);
    this.world = new World(model, this.stage.scene);
    this.stage.onCellSize = (metres) => layout.setCellSize(metres);
    this.store = new FrameStore((index) => source.frame(index));
    this.store.onError = (message) => layout.toasts.show(message);
    this.intersections = new IntersectionStore((index) => source.intersections(index));
    this.intersections.onFound = (index) => {
      if (this.world.shown?.index === index) this.markIntersections();
    };
    this.intersections.onError = (message) => layout.toasts.show(message);
    this.player = new Player(
      (position) => this.store.isLoaded(position),
      () => this.refresh(),
    );
    this.store.onFrame = (position) => this.onFrame(position);
    if (list.live) {
      this.live = new LiveConnection();
      this.grabber = new Grabber(this.stage, this.world, this.live);
      this.startLive(this.live);
    }
    layout.connect(this);
    layout.setCounts(model);
    layout.panel.setHasObstacles(this.world.hasObstacles);
    layout.panel.setModes(colourModesOf(model));
    installShortcuts(this, layout);
    this.applyTheme();
    layout.onThemeChange(() => this.applyTheme());
    this.applyOptions();
    this.updateList(list);
    requestAnimationFrame((now) => this.animate(now));
  }

  /** Looks at a few frames of the whole run, so that camera and legend suit all of it. */
  async survey(): Promise<void> {
    const last = this.player.count - 1;
    if (last < 0) return;
    const positions = [...new Set([0, Math.floor(last / 2), last])];
    const frames = await Promise.all(positions.map((position) => this.store.load(position)));
    for (const mode of Object.keys(kScalarModes) as ColourMode[]) {
      for (const frame of frames) this.ranges.include(mode, frame);
    }
    if (!this.following) {
      this.framed = true;
      this.stage.frame(frames.flatMap((frame) => this.world.outline(frame)), false);
    }
    this.refresh();
  }

  /** Keeps up with a run that is still being written. */
  startPolling(): void {
    const poll = async () => {
      try {
        const [list, csv] = await Promise.all([this.source.frames(), this.source.metrics()]);
        if (list.frames.length !== this.indices.length) this.updateList(list);
        this.layout.panel.plot.setMetrics(parseMetrics(csv));
        this.layout.setOnline(true);
      } catch {
        this.layout.setOnline(false);
      }
      window.setTimeout(() => void poll(), 1000 * kPollSeconds);
    };
    window.setTimeout(() => void poll(), 1000 * kPollSeconds);
  }

  togglePlay(): void {
    if (this.following && this.live) this.live.pause(!this.live.state.paused);
    else this.player.setPlaying(!this.player.playing);
  }

  seek(position: number): void {
    this.leaveLive();
    this.player.setPlaying(false);
    this.player.seek(position);
  }

  shift(frames: number): void {
    this.seek((this.following ? this.player.count - 1 : this.player.position) + frames);
  }

  seekTime(time: number): void {
    this.leaveLive();
    this.player.seekTime(time);
  }

  setSpeed(speed: number): void {
    this.player.speed = speed;
    this.refreshTransport();
  }

  changeSpeed(by: number): void {
    const at = kSpeeds.indexOf(this.player.speed) + by;
    this.setSpeed(kSpeeds[Math.min(Math.max(at, 0), kSpeeds.length - 1)]);
  }

  toggleLoop(): void {
    this.player.loop = !this.player.loop;
    this.refreshTransport();
  }

  /** Shows the running simulation again. */
  follow(): void {
    if (!this.live) return;
    this.player.setPlaying(false);
    this.following = true;
    if (this.grabber) this.grabber.enabled = !this.live.state.finished;
    this.refreshTransport();
  }

  stepSimulation(): void {
    if (this.following && this.live?.state.paused) this.live.step();
  }

  setMode(mode: ColourMode): void {
    if (!colourModesOf(this.model).some((offered) => offered.mode === mode)) return;
    this.options.mode = mode;
    this.applyOptions();
  }

  setLimit(largest: number | null): void {
    this.ranges.choose(this.options.mode, largest);
    this.recolour();
  }

  toggle(part: DisplayPart, on = !this.options[part]): void {
    this.options[part] = on;
    this.applyOptions();
  }

  fit(): void {
    if (this.world.shown) this.stage.frame(this.world.outline(this.world.shown), true);
  }

  lookAlong(axis: "x" | "y" | "z"): void {
    // Straight down would leave the orbit without an up direction.
    const from = { x: [1, 0, 0.001], y: [0, -1, 0.001], z: [0, -0.001, 1] }[axis];
    this.stage.lookFrom(new THREE.Vector3(...from));
  }

  savePicture(): void {
    this.stage.drawForPicture();
    const frame = String(this.world.shown?.index ?? 0).padStart(6, "0");
    savePicture(this.stage.canvas, `heddle-${frame}.png`, {
      mode: this.options.mode,
      range: this.ranges.range(this.options.mode),
      note: this.pictureNote(),
      text: this.layout.colour("--text"),
    });
  }

  /** What a picture says of colours without a bar. */
  private pictureNote(): string {
    const { mode } = this.options;
    const frame = this.world.shown;
    if (mode === "intersections") return `Intersections: ${pairsText(this.intersectionCount())}`;
    if (frame && mode === "treatment") {
      const sum = (k: number) => countTreatments(this.model, frame).reduce((count, term) => count + term.counts[k], 0);
      return `Implicit (red): ${sum(2)}, explicit (blue): ${sum(1)}, inactive (grey): ${sum(0)}`;
    }
    return frame && mode === "components" ? `Components: ${componentSizes(frame).length}` : "";
  }

  private updateList(list: FrameList): void {
    // Fewer frames than before: the scene is being run anew into the same folder.
    if (list.frames.length < this.indices.length) location.reload();
    const first = this.indices.length === 0 && list.frames.length > 0;
    this.indices = list.frames;
    this.store.setIndices(list.frames);
    this.player.setTimes(list.times);
    if (first) this.warnOfGaps();
    if (first) void this.survey().catch((error: unknown) => this.layout.toasts.show(String(error)));
  }

  private warnOfGaps(): void {
    const missing = missingFrames(this.indices);
    if (missing === "" || this.live) return;
    this.layout.toasts.show(`Missing: ${missing}. Continue the run with --resume to write them again.`, kGapsSeconds);
  }

  private startLive(live: LiveConnection): void {
    this.following = true;
    live.onFrame = (frame) => {
      if (this.following) this.show(frame);
    };
    live.onState = (state) => {
      this.layout.setLive(state);
      if (this.grabber) this.grabber.enabled = this.following && state.connected && !state.finished;
      if (state.finished) void this.finishLive();
      this.refreshTransport();
    };
    live.onError = (message) => this.layout.toasts.show(message);
    live.connect();
  }

  /** The page stays on the frame with which the run ended. */
  private async finishLive(): Promise<void> {
    // The list is polled, so it lacks the last frames; if the server is gone, they are out of reach anyway.
    const list = await this.source.frames().catch(() => null);
    if (list) this.updateList(list);
    if (!this.following) return;
    this.leaveLive();
    this.player.seek(this.player.count - 1);
  }

  private leaveLive(): void {
    this.following = false;
    if (this.grabber) this.grabber.enabled = false;
  }

  private onFrame(position: number): void {
    if (position === this.player.position) this.refresh();
    else this.refreshTransport();
  }

  /** The play head moved or its frame arrived. */
  private refresh(): void {
    if (!this.following && this.player.count > 0) {
      const frame = this.store.want(this.player.position);
      if (frame) this.show(frame);
    }
    this.refreshTransport();
  }

  private show(frame: Frame): void {
    if (this.world.shown !== frame) {
      this.world.show(frame);
      if (frame.loads.length > 0) this.layout.panel.setHasForces();
      this.layout.panel.plot.setTime(frame.time);
      if (!this.framed) {
        this.framed = true;
        this.stage.frame(this.world.outline(frame), false);
      }
      this.recolour();
    }
    this.refreshTransport();
  }

  private recolour(): void {
    const { mode } = this.options;
    const frame = this.world.shown;
    const scalar = kScalarModes[mode];
    if (frame) this.ranges.include(mode, frame);
    const range = this.ranges.range(mode);
    this.world.colour(mode, range);
    if (scalar) {
      this.layout.panel.legend.showScalar(mode, range, frame && frameExtremes(scalar, this.model, frame), this.ranges.isChosen(mode));
    }
    if (frame && mode === "treatment") this.layout.panel.legend.showTreatments(countTreatments(this.model, frame));
    if (frame && mode === "components") this.layout.panel.legend.showComponents(componentSizes(frame));
    if (mode === "intersections") this.markIntersections();
    else this.world.mark([]);
    this.stage.invalidate();
  }

  private markIntersections(): void {
    if (this.options.mode !== "intersections") return;
    const shown = this.world.shown;
    const found = shown && !this.following ? this.intersections.want(shown.index) : undefined;
    this.world.mark(found?.faces ?? []);
    this.layout.panel.legend.showIntersections(this.intersectionCount());
    this.stage.invalidate();
  }

  /** Of the shown frame, or why it is not known. */
  private intersectionCount(): number | string {
    const shown = this.world.shown;
    if (!shown) return "not loaded yet";
    if (this.following) return "known once the run is stored; scrub back to see earlier frames";
    if (this.intersections.hasFailed(shown.index)) return "not known";
    return this.intersections.get(shown.index)?.pairs ?? "counting …";
  }

  private applyOptions(): void {
    const { mode, wireframe, obstacles, grid, forces } = this.options;
    this.layout.panel.show(this.options);
    if (mode === "fabric" || mode === "material") this.layout.panel.legend.showMaterials(this.model.materials, mode);
    this.world.setWireframe(wireframe, new THREE.Color(this.layout.colour("--wire")));
    this.world.setObstacles(obstacles, new THREE.Color(this.layout.colour("--obstacle")));
    this.stage.ground.group.visible = grid;
    this.world.setForces(forces);
    this.recolour();
  }

  private applyTheme(): void {
    this.stage.setColours({
      background: this.layout.colour("--stage"),
      grid: this.layout.colour("--grid"),
      shadow: Number(this.layout.colour("--shadow-strength")),
    });
    this.applyOptions();
    this.layout.panel.plot.draw();
  }

  private refreshTransport(): void {
    const { position, count, playing, loop, speed } = this.player;
    const shown = this.world.shown;
    this.layout.transport.show({
      position,
      count,
      frame: shown?.index ?? 0,
      time: shown?.time ?? 0,
      playing,
      loop,
      speed,
      frameRate: this.model.frameRate,
      live: !this.live || this.live.state.finished ? "none" : this.following ? "following" : "recorded",
      simulationPaused: this.live?.state.paused ?? false,
      loaded: (p) => this.store.isLoaded(p),
    });
  }

  private animate(now: number): void {
    this.player.tick(now);
    if (this.stage.draw()) this.layout.countPicture(now);
    requestAnimationFrame((next) => this.animate(next));
  }
}
