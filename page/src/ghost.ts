// Bodies of another model, or of a recorded run, seen through or beside those of the scene.
import type { Stage } from "./stage";

export class Ghosts {
  place: "over" | "beside" | "hidden" = "over";

  constructor(private readonly stage: Stage) {}

  apply(): void {
    const beside = this.stage.beside();
    for (const body of this.stage.bodies) {
      if (!body?.info.ghost) continue;
      body.group.visible = this.place !== "hidden";
      body.setSolid(this.place === "beside");
      if (this.place === "beside") body.group.position.copy(beside);
      else body.group.position.set(0, 0, 0);
    }
    this.stage.changed = true;
  }
}
