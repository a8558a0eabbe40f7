import * as THREE from "three";
import type { ClothView } from "./cloth_view";
import type { Stage } from "./stage";
import type { World } from "./world";

export interface GrabTarget {
  grab(object: number, vertex: number, target: [number, number, number]): void;
  release(): void;
}

/**
 * Pulls a vertex of a cloth with the pointer, in the plane through it that faces the camera. Pressing beside
 * the cloth still turns the camera.
 */
export class Grabber {
  enabled = false;
  private readonly raycaster = new THREE.Raycaster();
  private readonly plane = new THREE.Plane();
  private readonly target = new THREE.Vector3();
  private readonly marker: THREE.Mesh;
  private held: { object: number; vertex: number; pointer: number } | null = null;
  private queued = false;

  constructor(
    private readonly stage: Stage,
    private readonly world: World,
    private readonly receiver: GrabTarget,
  ) {
    this.marker = new THREE.Mesh(
      new THREE.SphereGeometry(1, 24, 16),
      new THREE.MeshBasicMaterial({ color: 0xf2a33a, depthTest: false, transparent: true, opacity: 0.9 }),
    );
    this.marker.visible = false;
    this.marker.renderOrder = 10;
    stage.scene.add(this.marker);
    // In the capture phase, so that the camera does not turn when the cloth is hit.
    stage.canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    stage.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      stage.canvas.addEventListener(end, (event) => this.end(event));
    }
  }

  private aim(event: PointerEvent): void {
    const box = this.stage.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    this.raycaster.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
  }

  private press(event: PointerEvent): void {
    if (!this.enabled || this.held || event.button !== 0 || event.ctrlKey || event.shiftKey || event.altKey) return;
    this.aim(event);
    let nearest: { hit: THREE.Intersection; object: number; view: ClothView } | null = null;
    for (const { view, object } of this.world.cloths()) {
      const hit = this.raycaster.intersectObject(view.mesh, false)[0];
      if (hit && (!nearest || hit.distance < nearest.hit.distance)) nearest = { hit, object, view };
    }
    if (!nearest?.hit.face) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const vertex = this.nearestVertex(nearest.view, nearest.hit.face, nearest.hit.point);
    this.held = { object: nearest.object, vertex, pointer: event.pointerId };
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.stage.canvas.classList.add("grabbing");
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3());
    this.plane.setFromNormalAndCoplanarPoint(facing, nearest.hit.point);
    this.target.copy(nearest.hit.point);
    this.marker.scale.setScalar(0.008 * nearest.hit.distance);
    this.marker.visible = true;
    this.send();
  }

  private nearestVertex(view: ClothView, face: THREE.Face, point: THREE.Vector3): number {
    const positions = view.mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    const distance = (v: number) => new THREE.Vector3().fromBufferAttribute(positions, v).distanceToSquared(point);
    return [face.a, face.b, face.c].reduce((best, v) => (distance(v) < distance(best) ? v : best));
  }

  private move(event: PointerEvent): void {
    if (this.held?.pointer !== event.pointerId) return;
    this.aim(event);
    if (!this.raycaster.ray.intersectPlane(this.plane, this.target) || this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      if (this.held) this.send();
    });
  }

  private send(): void {
    if (!this.held) return;
    this.marker.position.copy(this.target);
    this.stage.invalidate();
    this.receiver.grab(this.held.object, this.held.vertex, [this.target.x, this.target.y, this.target.z]);
  }

  private end(event: PointerEvent): void {
    if (this.held?.pointer !== event.pointerId) return;
    this.held = null;
    this.marker.visible = false;
    this.stage.canvas.classList.remove("grabbing");
    this.stage.invalidate();
    this.receiver.release();
  }
}
