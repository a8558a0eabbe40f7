import * as THREE from "three";

const kVertex = /* glsl */ `
varying vec2 vPoint;
void main() {
  vPoint = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`;

const kFragment = /* glsl */ `
uniform float cell;
uniform float radius;
uniform vec3 colour;
varying vec2 vPoint;

float lines(float size) {
  vec2 p = vPoint / size;
  vec2 width = fwidth(p);
  vec2 d = abs(fract(p - 0.5) - 0.5) / max(width, 1e-6);
  float visible = 1.0 - smoothstep(0.3, 0.6, max(width.x, width.y));
  return (1.0 - min(min(d.x, d.y), 1.0)) * visible;
}

void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(vPoint) / radius);
  float strength = max(0.2 * lines(cell), 0.42 * lines(10.0 * cell));
  gl_FragColor = vec4(colour, strength * fade);
  #include <colorspace_fragment>
}
`;

/** A grid of round size that fades out, and the shadows that fall on it. */
export class Ground {
  readonly group = new THREE.Group();
  private readonly grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly shadow: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;

  constructor() {
    const plane = new THREE.PlaneGeometry(2, 2);
    this.grid = new THREE.Mesh(
      new THREE.PlaneGeometry(2, 2),
      new THREE.ShaderMaterial({
        vertexShader: kVertex,
        fragmentShader: kFragment,
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
        uniforms: { cell: { value: 0.1 }, radius: { value: 1 }, colour: { value: new THREE.Color() } },
      }),
    );
    this.shadow = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.18, depthWrite: false }));
    this.shadow.receiveShadow = true;
    this.grid.renderOrder = -1;
    this.shadow.renderOrder = -2;
    this.group.add(this.grid, this.shadow);
  }

  /** Returns the size of a cell in metres. */
  place(centre: THREE.Vector3, height: number, size: number): number {
    const cell = 10 ** Math.round(Math.log10(size / 12));
    const radius = 3.5 * size;
    this.grid.material.uniforms.cell.value = cell;
    this.grid.material.uniforms.radius.value = radius;
    this.grid.geometry.dispose();
    this.grid.geometry = new THREE.PlaneGeometry(2 * radius, 2 * radius);
    const snap = (value: number) => 10 * cell * Math.round(value / (10 * cell));
    this.grid.position.set(snap(centre.x), snap(centre.y), height);
    this.shadow.position.set(centre.x, centre.y, height);
    this.shadow.scale.setScalar(radius);
    return cell;
  }

  setColours(line: THREE.Color, shadowOpacity: number): void {
    (this.grid.material.uniforms.colour.value as THREE.Color).copy(line);
    this.shadow.material.opacity = shadowOpacity;
  }
}
