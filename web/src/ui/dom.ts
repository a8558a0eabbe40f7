type Child = Node | string | null;
type Properties<T extends HTMLElement> = Partial<Omit<T, "style" | "dataset">> & { aria?: Record<string, string> };

/** Creates an element: h("button", { className: "icon", onclick }, "text"). */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { aria, ...rest } = properties;
  Object.assign(element, rest);
  for (const [name, value] of Object.entries(aria ?? {})) element.setAttribute(`aria-${name}`, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

const kIcons = {
  play: '<path d="M7 4.5v15l12-7.5z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" fill="currentColor" stroke="none"/>',
  previous: '<path d="M15 6l-6 6 6 6"/>',
  next: '<path d="M9 6l6 6-6 6"/>',
  first: '<path d="M18 6l-6 6 6 6M7 6v12"/>',
  last: '<path d="M6 6l6 6-6 6M17 6v12"/>',
  step: '<path d="M6 5v14l9-7z" fill="currentColor" stroke="none"/><path d="M18 5v14"/>',
  loop: '<path d="M4 12a7 7 0 0 1 12-5l2 2M20 12a7 7 0 0 1-12 5l-2-2M18 4v5h-5M6 20v-5h5"/>',
  camera: '<path d="M4 8h3l1.5-2.5h7L17 8h3v11H4z"/><circle cx="12" cy="13" r="3.4"/>',
  fit: '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>',
  help: '<path d="M9 9.2a3 3 0 1 1 4.4 2.6c-.9.5-1.4 1-1.4 2.2"/><path d="M12 17.5v.1"/>',
  panel: '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
};

export type IconName = keyof typeof kIcons;

export function iconMarkup(name: IconName): string {
  return (
    '<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" ' +
    `stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${kIcons[name]}</svg>`
  );
}

export function iconButton(name: IconName, label: string, action: () => void): HTMLButtonElement {
  const button = h("button", { type: "button", className: "icon", title: label, innerHTML: iconMarkup(name), aria: { label } });
  button.onclick = (event) => {
    // After a click with the pointer the space bar plays and pauses again, instead of repeating the click.
    if (event.detail > 0) button.blur();
    action();
  };
  return button;
}

/** A switch with its label; `set` shows a state without telling. */
export function toggle(label: string, shortcut: string, onchange: (on: boolean) => void): { root: HTMLElement; set(on: boolean): void } {
  const input = h("input", { type: "checkbox", onchange: () => onchange(input.checked), aria: { keyshortcuts: shortcut } });
  input.setAttribute("role", "switch");
  const root = h("label", { className: "toggle", title: `${label} (${shortcut})` }, h("span", {}, label), input);
  return { root, set: (on) => (input.checked = on) };
}

/** A number for people: few digits, no exponent where it can be avoided. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return "–";
  if (size === 0) return "0";
  if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace("e+", "e");
  return String(Number(value.toPrecision(3)));
}
