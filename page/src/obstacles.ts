// Solids that bodies touch, and the forces of contacts as arrows.
import * as THREE from "three";
import type { ObstacleInfo, State } from "./protocol";
import type { Stage } from "./stage";

const LONGEST = 0.25; // of the scene's size: the arrow of the largest force
const NEAR = 1.5; // sizes of a box: obstacles farther away from it need not be in sight
const SPREAD = 0.45; // of the box's size: how much of a floor is seen around what stands on it

export class Obstacles {
  private readonly meshes: THREE.Mesh[] = [];
  private infos: ObstacleInfo[] = [];
  private readonly lines: THREE.LineSegments;
  private shown = false;

  constructor(private readonly stage: Stage) {
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#b3261e", depthTest: false, transparent: true }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    this.lines.renderOrder = 2;
    stage.extras.add(this.lines);
  }

  /** Whether arrows are shown. */
  set arrows(on: boolean) {
    this.shown = on;
    this.lines.visible = on;
    this.stage.changed = true;
  }

  build(infos: ObstacleInfo[]): void {
    for (const mesh of this.meshes) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
    this.meshes.length = 0;
    this.infos = infos;
    for (const info of infos) {
      const shape = new THREE.BufferGeometry();
      shape.setAttribute("position", new THREE.BufferAttribute(new Float32Array(info.rest), 3));
      shape.setIndex(new THREE.BufferAttribute(new Uint32Array(info.triangles), 1));
      const flat = shape.toNonIndexed(); // edges stay sharp
      flat.computeVertexNormals();
      shape.dispose();
      const paint = { color: info.plane ? "#d9dcdd" : "#8d99a3", side: THREE.DoubleSide, transparent: !info.plane, opacity: info.plane ? 1 : 0.72 };
      const material = this.stage.fine ? new THREE.MeshStandardMaterial({ ...paint, roughness: 0.8 }) : new THREE.MeshLambertMaterial(paint);
      const mesh = new THREE.Mesh(flat, material);
      mesh.castShadow = info.plane === 0;
      mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.stage.scene.add(mesh);
      this.meshes.push(mesh);
    }
  }

  /** Places that a picture of what is in a box should show as well: obstacles near it, and the floor below. */
  sights(box: THREE.Box3): THREE.Vector3[] {
    const middle = box.getCenter(new THREE.Vector3()), size = box.getSize(new THREE.Vector3()).length();
    const list: THREE.Vector3[] = [];
    this.meshes.forEach((mesh, i) => {
      mesh.updateMatrixWorld();
      if (this.infos[i].plane === 1) {
        // Corners of the box, dropped on the plane and pulled apart: what lies there has floor around it.
        const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(mesh.quaternion);
        const height = middle.clone().sub(mesh.position).dot(normal);
        if (height > NEAR * size || height < 0) return;
        const drop = (p: THREE.Vector3) => p.addScaledVector(normal, -p.clone().sub(mesh.position).dot(normal));
        const foot = drop(middle.clone());
        for (let k = 0; k < 8; k++) {
          const corner = drop(new THREE.Vector3(k & 1 ? box.min.x : box.max.x, k & 2 ? box.min.y : box.max.y, k & 4 ? box.min.z : box.max.z));
          list.push(corner.addScaledVector(corner.clone().sub(foot).normalize(), SPREAD * size));
        }
        return;
      }
      const places = mesh.geometry.getAttribute("position");
      for (let k = 0; k < places.count; k++) {
        const p = new THREE.Vector3().fromBufferAttribute(places, k).applyMatrix4(mesh.matrixWorld);
        if (box.distanceToPoint(p) < NEAR * size) list.push(p);
      }
    });
    return list;
  }

  /** The height of a level floor, which the stage draws in place of its plane. */
  private floor(): number | null {
    let height: number | null = null;
    this.meshes.forEach((mesh, i) => {
      if (this.infos[i].plane !== 1) return;
      const level = new THREE.Vector3(0, 0, 1).applyQuaternion(mesh.quaternion).z > 1 - 1e-9;
      mesh.visible = !level;
      if (level) height = Math.max(height ?? -Infinity, mesh.position.z);
    });
    return height;
  }

  show(state: State): void {
    this.meshes.forEach((mesh, i) => {
      const at = 7 * i, p = state.obstacles;
      if (at + 6 >= p.length) return;
      mesh.position.set(p[at], p[at + 1], p[at + 2]);
      mesh.quaternion.set(p[at + 3], p[at + 4], p[at + 5], p[at + 6]);
    });
    this.stage.changed ||= this.meshes.length > 0;
    this.stage.setFloor(this.floor());
    if (this.shown) this.showArrows(state.contacts);
  }

  /** A line from each point that touches along the force on it. */
  private showArrows(contacts: Float32Array): void {
    let largest = 0;
    for (let i = 0; i + 5 < contacts.length; i += 6) largest = Math.max(largest, Math.hypot(contacts[i + 3], contacts[i + 4], contacts[i + 5]));
    const scale = largest > 0 ? (LONGEST * this.stage.size) / largest : 0;
    const ends = new Float32Array(contacts.length);
    for (let i = 0; i + 5 < contacts.length; i += 6)
      for (let c = 0; c < 3; c++) {
        ends[i + c] = contacts[i + c];
        ends[i + 3 + c] = contacts[i + c] + scale * contacts[i + 3 + c];
      }
    this.lines.geometry.setAttribute("position", new THREE.BufferAttribute(ends, 3));
    this.lines.geometry.setDrawRange(0, ends.length / 3);
  }
}
