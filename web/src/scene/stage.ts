import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Ground } from "./ground";
import { fitCamera } from "./outline";

/** The share of the picture that is filled when the view is fitted. */
const kMargin = 0.8;

export interface StageColours {
  background: string;
  grid: string;
  shadow: number;
}

function createRenderer(canvas: HTMLCanvasElement): THREE.WebGLRenderer {
  try {
    return new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
  } catch {
    throw new Error("This browser cannot draw in three dimensions. Turn on hardware acceleration (WebGL 2) in its settings.");
  }
}

/** Renderer, camera, light and ground; draws only when something changed. z is up. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  readonly ground = new Ground();
  onCellSize: (metres: number) => void = () => {};
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.15);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8d8a86, 1.3);
  private points: THREE.Vector3[] = [];
  private dirty = true;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = createRenderer(canvas);
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
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
  frame(points: THREE.Vector3[], keepDirection: boolean): void {
    if (points.length === 0) return;
    this.points = points;
    const box = new THREE.Box3().setFromPoints(points);
    const centre = box.getCenter(new THREE.Vector3());
    const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-3);
    this.placeLight(centre, radius);
    this.onCellSize(this.ground.place(centre, this.groundHeight(box, radius), 2 * radius));
    const direction = keepDirection
      ? this.camera.position.clone().sub(this.controls.target).normalize()
      : new THREE.Vector3(0.62, -1, 0.48).normalize();
    this.look(direction);
  }

  /** Looks along an axis at what was framed last. */
  lookFrom(direction: THREE.Vector3): void {
    this.look(direction.normalize());
  }

  private look(direction: THREE.Vector3): void {
    const tall = kMargin * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    const { target, distance } = fitCamera(this.points, direction, tall, tall * this.camera.aspect);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 30;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = distance / 50;
    this.controls.maxDistance = distance * 5;
    this.controls.update();
    this.invalidate();
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
