import * as THREE from "three";
import type { Frame, Model } from "../data/model";
import { ClothView } from "./cloth_view";
import type { ColourMode, Range } from "./colouring";
import { ObstacleView } from "./obstacle_view";

/** All objects of a run on the stage, in the order of the model. */
export class World {
  readonly views: (ClothView | ObstacleView)[];
  shown: Frame | null = null;
  private readonly obstacles = new THREE.Group();

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
    scene.add(this.obstacles);
  }

  show(frame: Frame): void {
    frame.objects.forEach((object, i) => {
      const view = this.views[i];
      if (view instanceof ClothView && object.kind === "cloth") view.show(object);
      if (view instanceof ObstacleView && object.kind === "obstacle") view.show(object);
    });
    this.shown = frame;
  }

  colour(mode: ColourMode, range: Range): void {
    this.shown?.objects.forEach((object, i) => {
      const view = this.views[i];
      if (view instanceof ClothView && object.kind === "cloth") view.colour(mode, object, range);
    });
  }

  setWireframe(on: boolean, colour: THREE.Color): void {
    for (const view of this.views) if (view instanceof ClothView) view.setWireframe(on, colour);
  }

  setObstacles(visible: boolean, colour: THREE.Color): void {
    this.obstacles.visible = visible;
    for (const view of this.views) if (view instanceof ObstacleView) view.mesh.material.color.copy(colour);
  }

  get hasObstacles(): boolean {
    return this.obstacles.children.length > 0;
  }

  cloths(): { view: ClothView; object: number }[] {
    return this.views.flatMap((view, object) => (view instanceof ClothView ? [{ view, object }] : []));
  }

  /** What the camera should see in this frame: the cloths, and obstacles that are not far larger. */
  bounds(frame: Frame): THREE.Box3 {
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (const object of frame.objects) {
      if (object.kind !== "cloth") continue;
      const p = object.positions;
      for (let i = 0; i < p.length; i += 3) {
        point.set(p[i], p[i + 1], p[i + 2]);
        if (Number.isFinite(point.lengthSq())) box.expandByPoint(point);
      }
    }
    const reach = box.isEmpty() ? Infinity : 2 * box.getSize(point).length();
    frame.objects.forEach((object, i) => {
      const view = this.views[i];
      if (object.kind !== "obstacle" || !(view instanceof ObstacleView)) return;
      view.mesh.geometry.computeBoundingBox();
      const [x, y, z, w, tx, ty, tz] = object.pose;
      const pose = new THREE.Matrix4().compose(
        new THREE.Vector3(tx, ty, tz),
        new THREE.Quaternion(x, y, z, w),
        new THREE.Vector3(1, 1, 1),
      );
      const own = view.mesh.geometry.boundingBox?.clone().applyMatrix4(pose);
      if (own && own.getSize(point).length() < reach) box.union(own);
    });
    return box;
  }
}
