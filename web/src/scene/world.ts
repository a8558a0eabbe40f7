import * as THREE from "three";
import type { Frame, Model } from "../data/model";
import { ClothView } from "./cloth_view";
import type { ColourMode, Range } from "./colouring";
import { LoadArrows } from "./load_arrows";
import { ObstacleView } from "./obstacle_view";
import { samplePoints } from "./outline";

/** All objects of a run on the stage, in the order of the model. */
export class World {
  readonly views: (ClothView | ObstacleView)[];
  shown: Frame | null = null;
  private readonly obstacles = new THREE.Group();
  private readonly loads = new LoadArrows();

  constructor(
    readonly model: Model,
    scene: THREE.Scene,
  ) {
    this.views = model.objects.map((object) =>
      object.kind === "cloth" ? new ClothView(object, model) : new ObstacleView(object),
    );
    for (const view of this.views) {
      if (view instanceof ClothView) scene.add(view.mesh);
      else this.obstacles.add(view.mesh);
    }
    scene.add(this.obstacles, this.loads.group);
  }

  show(frame: Frame): void {
    frame.objects.forEach((object, i) => {
      const view = this.views[i];
      if (view instanceof ClothView && object.kind === "cloth") view.show(object);
      if (view instanceof ObstacleView && object.kind === "obstacle") view.show(object);
    });
    this.loads.show(frame.loads, frame.loads.length > 0 ? this.extent(frame) : 0);
    this.shown = frame;
  }

  /** Metres, from corner to corner of what the camera should see. */
  private extent(frame: Frame): number {
    return new THREE.Box3().setFromPoints(this.outline(frame)).getSize(new THREE.Vector3()).length();
  }

  colour(mode: ColourMode, range: Range): void {
    this.shown?.objects.forEach((object, i) => {
      const view = this.views[i];
      if (view instanceof ClothView && object.kind === "cloth") view.colour(mode, object, range);
    });
  }

  /** Marks the faces of cloths; those of obstacles would hide them. */
  mark(faces: [number, number][]): void {
    for (const { view, object } of this.cloths()) view.mark(faces.flatMap(([o, face]) => (o === object ? [face] : [])));
  }

  setWireframe(on: boolean, colour: THREE.Color): void {
    for (const view of this.views) if (view instanceof ClothView) view.setWireframe(on, colour);
  }

  setObstacles(visible: boolean, colour: THREE.Color): void {
    this.obstacles.visible = visible;
    for (const view of this.views) if (view instanceof ObstacleView) view.mesh.material.color.copy(colour);
  }

  setForces(visible: boolean): void {
    this.loads.group.visible = visible;
  }

  get hasObstacles(): boolean {
    return this.obstacles.children.length > 0;
  }

  cloths(): { view: ClothView; object: number }[] {
    return this.views.flatMap((view, object) => (view instanceof ClothView ? [{ view, object }] : []));
  }

  /** Points that the camera should see in this frame: of the cloths, and of obstacles that are not far larger. */
  outline(frame: Frame): THREE.Vector3[] {
    const points = frame.objects.flatMap((object) => (object.kind === "cloth" ? samplePoints(object.positions) : []));
    const reach = points.length > 0 ? 2 * new THREE.Box3().setFromPoints(points).getSize(new THREE.Vector3()).length() : Infinity;
    frame.objects.forEach((object, i) => {
      const view = this.views[i];
      if (object.kind !== "obstacle" || !(view instanceof ObstacleView)) return;
      const own = view.outline(object);
      if (new THREE.Box3().setFromPoints(own).getSize(new THREE.Vector3()).length() < reach) points.push(...own);
    });
    return points;
  }
}
