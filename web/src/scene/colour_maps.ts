import * as THREE from "three";

type Rgb = readonly [number, number, number];

/** Blue, light grey, red for signed values; even in lightness on both sides of zero. */
const kDiverging: Rgb[] = [
  [24, 58, 132],
  [52, 116, 186],
  [133, 180, 218],
  [232, 233, 232],
  [240, 163, 126],
  [206, 86, 70],
  [128, 20, 48],
];

/** Dark blue over green to yellow for magnitudes; lightness grows with the value. */
const kSequential: Rgb[] = [
  [38, 28, 86],
  [43, 79, 138],
  [30, 126, 140],
  [52, 168, 118],
  [142, 205, 82],
  [248, 230, 72],
];

/** Grey for nothing, then yellow over orange to dark red. */
const kPressing: Rgb[] = [
  [196, 199, 202],
  [250, 206, 90],
  [240, 140, 50],
  [205, 60, 48],
  [110, 16, 52],
];

export type ColourMap = "diverging" | "sequential" | "pressing";

const kStops: Record<ColourMap, Rgb[]> = { diverging: kDiverging, sequential: kSequential, pressing: kPressing };

/** Elements that are inactive, explicit, implicit: by the numbers of the wire. */
export const kTreatmentColours = ["#565d66", "#2f7fd0", "#d2452f"];

/** Faces without and with intersections. */
export const kPlainColour = "#c4c7ca";
export const kMarkColour = "#e81020";

function mixStops(stops: Rgb[], t: number): Rgb {
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const f = at - i;
  const mix = (k: 0 | 1 | 2) => Math.round(stops[i][k] * (1 - f) + stops[i + 1][k] * f);
  return [mix(0), mix(1), mix(2)];
}

const textures = new Map<ColourMap, THREE.DataTexture>();

/** The map as a row of texels for the shader. */
export function colourMapTexture(map: ColourMap): THREE.DataTexture {
  const known = textures.get(map);
  if (known) return known;
  const size = 256;
  const data = new Uint8Array(4 * size);
  for (let i = 0; i < size; i++) data.set([...mixStops(kStops[map], i / (size - 1)), 255], 4 * i);
  const texture = new THREE.DataTexture(data, size, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  textures.set(map, texture);
  return texture;
}

/** The map as a CSS gradient for the legend, low values first. */
export function colourMapGradient(map: ColourMap): string {
  const stops = kStops[map].map((rgb) => `rgb(${rgb.join(" ")})`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

export function colourMapStops(map: ColourMap): string[] {
  return kStops[map].map((rgb) => `rgb(${rgb.join(",")})`);
}

/** Colours that tell materials and curves apart on a dark and on a light page. */
export const kCategorical = [
  "#4e8fd0",
  "#e0803c",
  "#55a868",
  "#c9566b",
  "#9579c9",
  "#b8954a",
  "#3fb0ac",
  "#d673b0",
  "#8a97a6",
];
