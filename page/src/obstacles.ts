// Solids that bodies touch, and the forces of contacts as arrows.
import * as THREE from "three";
import type { ObstacleInfo, State } from "./protocol";
import type { Stage } from "./stage";

const LONGEST = 0.25; // of the scene's size: the arrow of the largest force

export class Obstacles {
  private readonly meshes: THREE.Mesh[] = [];
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

  show(state: State): void {
    this.meshes.forEach((mesh, i) => {
      const at = 7 * i, p = state.obstacles;
      if (at + 6 >= p.length) return;
      mesh.position.set(p[at], p[at + 1], p[at + 2]);
      mesh.quaternion.set(p[at + 3], p[at + 4], p[at + 5], p[at + 6]);
      if (mesh.position.z < Infinity && i === 0) this.stage.changed = true;
    });
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
