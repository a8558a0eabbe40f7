import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Ground } from "./ground";

export interface StageColours {
  background: string;
  grid: string;
  shadow: number;
}

/** Renderer, camera, light and ground; draws only when something changed. z is up. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  readonly ground = new Ground();
  onCellSize: (metres: number) => void = () => {};
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.6);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8d8a86, 1.25);
  private readonly bounds = new THREE.Box3();
  private dirty = true;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(2, -3, 2);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", () => this.invalidate());
    this.sky.position.set(0, 0, 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.scene.add(this.sky, this.sun, this.sun.target, this.ground.group);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  invalidate(): void {
    this.dirty = true;
  }

  /** Called once per animation frame; true if a picture was drawn. */
  draw(): boolean {
    this.controls.update();
    if (!this.dirty) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  /** Draws now and keeps the pixels until the caller returns. */
  drawForPicture(): void {
    this.renderer.render(this.scene, this.camera);
  }

  setColours(colours: StageColours): void {
    this.scene.background = new THREE.Color(colours.background);
    this.ground.setColours(new THREE.Color(colours.grid), colours.shadow);
    this.invalidate();
  }

  /** Fits camera, light and ground to what there is to see. */
  frame(box: THREE.Box3, keepDirection: boolean): void {
    if (box.isEmpty()) return;
    this.bounds.copy(box);
    const centre = box.getCenter(new THREE.Vector3());
    const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-3);
    this.placeLight(centre, radius);
    this.onCellSize(this.ground.place(centre, this.groundHeight(box, radius), 2 * radius));
    const direction = keepDirection
      ? this.camera.position.clone().sub(this.controls.target).normalize()
      : new THREE.Vector3(0.62, -1, 0.48).normalize();
    this.look(direction);
  }

  /** Looks along an axis at the framed box. */
  lookFrom(direction: THREE.Vector3): void {
    this.look(direction.normalize());
  }

  private look(direction: THREE.Vector3): void {
    const centre = this.bounds.getCenter(new THREE.Vector3());
    const radius = Math.max(this.bounds.getSize(new THREE.Vector3()).length() / 2, 1e-3);
    const distance = this.fittingDistance(direction, centre);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = radius / 20;
    this.controls.maxDistance = radius * 15;
    this.controls.update();
    this.invalidate();
  }

  /** How far the camera must stand off for every corner of the box to be in the picture, with a margin. */
  private fittingDistance(direction: THREE.Vector3, centre: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const tall = 0.84 * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    const wide = tall * this.camera.aspect;
    const { min, max } = this.bounds;
    let distance = 1e-3;
    for (let corner = 0; corner < 8; corner++) {
      const point = new THREE.Vector3(
        corner & 1 ? max.x : min.x,
        corner & 2 ? max.y : min.y,
        corner & 4 ? max.z : min.z,
      ).sub(centre);
      const aside = Math.max(Math.abs(point.dot(right)) / wide, Math.abs(point.dot(up)) / tall);
      distance = Math.max(distance, point.dot(direction) + aside);
    }
    return distance;
  }

  private placeLight(centre: THREE.Vector3, radius: number): void {
    this.sun.position.copy(centre).add(new THREE.Vector3(0.9, -1.1, 2.6).normalize().multiplyScalar(4 * radius));
    this.sun.target.position.copy(centre);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -1.8 * radius;
    camera.right = camera.top = 1.8 * radius;
    camera.near = radius;
    camera.far = 9 * radius;
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = radius / 250;
  }

  /** The floor z = 0 if the scene stands on it, else just below the scene. */
  private groundHeight(box: THREE.Box3, radius: number): number {
    const gap = 1e-3 * radius;
    return box.min.z > -0.02 * radius && box.min.z < 4 * radius ? -gap : box.min.z - gap;
  }

  private resize(): void {
    const width = Math.max(this.canvas.clientWidth, 1);
    const height = Math.max(this.canvas.clientHeight, 1);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    // The canvas is cleared by its new size, so waiting for the next animation frame would flicker.
    this.renderer.render(this.scene, this.camera);
  }
}
