import * as THREE from "three";
import type { Material } from "../data/model";
import { colourMapTexture, type ColourMap } from "./colour_maps";
import type { Range } from "./colouring";

const kPatterns: Record<string, number> = { plain: 0, weave: 1, checker: 2 };

const kVertexHead = /* glsl */ `
attribute float scalar;
attribute vec2 restUv;
varying float vScalar;
varying vec2 vRestUv;
`;

const kFragmentHead = /* glsl */ `
uniform vec3 frontColour;
uniform vec3 backColour;
uniform float patternSize;
uniform int pattern;
uniform int mode;
uniform sampler2D colourMap;
uniform vec2 scalarRange;
uniform vec3 flatColour;
varying float vScalar;
varying vec2 vRestUv;

const float kPi = 3.14159265;

// Threads of a plain weave: one passes over, its neighbour under; far away only their mean shade is left.
float weaveShade(vec2 uv) {
  vec2 p = 2.0 * uv / patternSize;
  vec2 width = fwidth(p);
  float near = 1.0 - smoothstep(0.3, 0.8, max(width.x, width.y));
  vec2 s = sin(kPi * fract(p));
  bool warpOnTop = mod(floor(p.x) + floor(p.y), 2.0) < 0.5;
  float across = warpOnTop ? s.x : s.y;
  float along = warpOnTop ? s.y : s.x;
  return mix(0.9, 0.70 + 0.34 * sqrt(across) * (0.55 + 0.45 * along), near);
}

float checkerMix(vec2 uv) {
  vec2 p = uv / patternSize;
  vec2 width = fwidth(p);
  float w = max(width.x, width.y);
  float field = sin(kPi * p.x) * sin(kPi * p.y);
  return mix(smoothstep(-2.0 * w, 2.0 * w, field), 0.5, smoothstep(0.4, 1.0, w));
}

vec3 fabricColour(bool front) {
  vec3 colour = front ? frontColour : backColour;
  if (pattern == 1) return colour * weaveShade(vRestUv);
  if (pattern == 2) return mix(colour, mix(colour, vec3(1.0), 0.72), checkerMix(vRestUv));
  return colour;
}
`;

const kColourFragment = /* glsl */ `
vec3 scalarColour = vec3(0.0);
if (mode == 0) {
  diffuseColor.rgb = fabricColour(gl_FrontFacing);
} else {
  if (mode == 1) {
    float t = (vScalar - scalarRange.x) / max(scalarRange.y - scalarRange.x, 1e-12);
    scalarColour = texture2D(colourMap, vec2((clamp(t, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  } else {
    scalarColour = flatColour;
  }
  diffuseColor.rgb = 0.62 * scalarColour;
}
`;

// Values glow a little so that their colours stay comparable with the legend in the shade; fibres that stand
// off the fabric brighten its outline.
const kGlowFragment = /* glsl */ `
if (mode == 0) {
  float rim = 1.0 - abs(dot(normalize(vViewPosition), normal));
  totalEmissiveRadiance += diffuseColor.rgb * 0.22 * pow(rim, 3.0);
} else {
  totalEmissiveRadiance += 0.38 * scalarColour;
}
`;

/** The look of one fabric, and of the numbers painted over it. */
export class ClothMaterial extends THREE.MeshStandardMaterial {
  private readonly values: Record<string, THREE.IUniform>;

  constructor(
    material: Material,
    private readonly ownColour: string,
    hasUv: boolean,
  ) {
    super({ side: THREE.DoubleSide, roughness: 0.92, metalness: 0, polygonOffset: true });
    this.polygonOffsetFactor = 1;
    this.polygonOffsetUnits = 1;
    this.shadowSide = THREE.DoubleSide;
    this.values = {
      frontColour: { value: new THREE.Color(...material.front) },
      backColour: { value: new THREE.Color(...material.back) },
      patternSize: { value: Math.max(material.patternSize, 1e-5) },
      pattern: { value: hasUv ? (kPatterns[material.pattern] ?? 0) : 0 },
      mode: { value: 0 },
      colourMap: { value: colourMapTexture("diverging") },
      scalarRange: { value: new THREE.Vector2(0, 1) },
      flatColour: { value: new THREE.Color(ownColour) },
    };
    this.onBeforeCompile = (shader) => this.extend(shader);
  }

  showFabric(): void {
    this.values.mode.value = 0;
  }

  showScalar(map: ColourMap, range: Range): void {
    this.values.mode.value = 1;
    this.values.colourMap.value = colourMapTexture(map);
    (this.values.scalarRange.value as THREE.Vector2).set(range.low, range.high);
  }

  showFlat(colour = this.ownColour): void {
    this.values.mode.value = 2;
    (this.values.flatColour.value as THREE.Color).set(colour);
  }

  private extend(shader: THREE.WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, this.values);
    shader.vertexShader =
      kVertexHead +
      shader.vertexShader.replace(
        "#include <begin_vertex>",
        "#include <begin_vertex>\nvScalar = scalar;\nvRestUv = restUv;",
      );
    shader.fragmentShader =
      kFragmentHead +
      shader.fragmentShader
        .replace("#include <color_fragment>", kColourFragment)
        .replace("#include <emissivemap_fragment>", kGlowFragment);
  }
}
