import type { Frame } from "./model";
import { decodeFrame } from "./wire";

export interface LiveState {
  connected: boolean;
  paused: boolean;
  finished: boolean;
}

/** The connection to a running simulation; comes back by itself when it is lost. */
export class LiveConnection {
  onFrame: (frame: Frame) => void = () => {};
  onState: (state: LiveState) => void = () => {};
  onError: (message: string) => void = () => {};
  state: LiveState = { connected: false, paused: false, finished: false };
  private socket: WebSocket | null = null;
  private retryDelay = 500;

  connect(): void {
    const socket = new WebSocket(`ws://${location.host}/live`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.retryDelay = 500;
      this.update({ connected: true });
    };
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => this.receive(event.data);
    socket.onclose = () => {
      this.update({ connected: false });
      if (this.state.finished) return;
      window.setTimeout(() => this.connect(), this.retryDelay);
      this.retryDelay = Math.min(this.retryDelay * 2, 8000);
    };
    this.socket = socket;
  }

  pause(on: boolean): void {
    this.send({ type: "pause", on });
  }

  step(): void {
    this.send({ type: "step" });
  }

  grab(object: number, vertex: number, target: [number, number, number]): void {
    this.send({ type: "grab", object, vertex, target });
  }

  release(): void {
    this.send({ type: "release" });
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private receive(data: ArrayBuffer | string): void {
    if (typeof data !== "string") {
      this.onFrame(decodeFrame(data));
      // The next frame comes once this one is on the screen, so that a slow page skips frames instead of lagging.
      requestAnimationFrame(() => this.send({ type: "seen" }));
      return;
    }
    const message = JSON.parse(data) as { type: string; message?: string; paused?: boolean; finished?: boolean; problem?: string };
    if (message.type === "state") {
      this.update({ paused: message.paused ?? false, finished: message.finished ?? false });
      if (message.problem) this.onError(`The run failed: ${message.problem}`);
    } else if (message.type === "error") {
      this.onError(message.message ?? "The simulation refused a command.");
    }
  }

  private update(change: Partial<LiveState>): void {
    this.state = { ...this.state, ...change };
    this.onState(this.state);
  }
}
