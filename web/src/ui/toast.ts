import { h } from "./dom";

/** Short messages at the lower edge; the same message is not repeated while it stands. */
export class Toasts {
  readonly root = h("div", { className: "toasts", aria: { live: "polite" } });
  private readonly standing = new Set<string>();

  show(message: string, seconds = 6): void {
    if (this.standing.has(message) || this.standing.size > 3) return;
    this.standing.add(message);
    const item = h("div", { className: "toast" }, message);
    this.root.append(item);
    window.setTimeout(() => {
      item.remove();
      this.standing.delete(message);
    }, 1000 * seconds);
  }
}
