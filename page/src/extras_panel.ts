// The parts of the panel for what is shown besides the simulation: modes and the ghost.
import type { Group } from "./controls";
import type { Ghosts } from "./ghost";
import type { Modes } from "./modes";
import { encode, type Hello } from "./protocol";

type Place = Ghosts["place"];

export function addExtras(parent: Group, hello: Hello, modes: Modes, ghosts: Ghosts, send: (frame: ArrayBuffer) => void): void {
  const shapes = parent.group("mode shapes", "natural vibrations, with their frequencies");
  const bodies = hello.bodies.map((body, b): [string, number] => [body.ghost ? `${body.name} (ghost)` : body.name, b]).filter(([, b]) => hello.bodies[b].model !== "recorded");
  const choice = { body: bodies[0]?.[1] ?? 0, mode: 0, shown: "" };
  const show = () => modes.show(choice.body, choice.mode - 1);
  if (bodies.length > 1)
    shapes.choice("mode of", "whose modes are shown", () => bodies, () => choice.body, (body) => {
      choice.body = body;
      show();
    });
  shapes.number("mode", "swings in place of the simulation; 0: none", { low: 0, high: 12, step: 1 }, () => choice.mode, (mode) => {
    choice.mode = Math.round(mode);
    show();
  });
  shapes.number("amplitude", "of the swing, as a share of the size of the scene", { low: 0.01, high: 0.4, step: 0.01 }, () => modes.amplitude, (a) => (modes.amplitude = a));
  shapes.line(() => choice.shown);
  modes.onShow = (text) => {
    choice.shown = text;
    shapes.refresh();
  };

  const ghost = hello.bodies.find((body) => body.ghost);
  if (ghost?.model === "recorded" || hello.bodies.length === 0) {
    const group = parent.group("ghost: recorded");
    group.choice("place", "where the recorded run is drawn", (): [string, Place][] => [["over the body", "over"], ["beside it", "beside"], ["hidden", "hidden"]], () => ghosts.place, (place) => {
      ghosts.place = place;
      ghosts.apply();
    });
    return;
  }
  const group = parent.group("ghost", "a second version of the scene with another model, to compare");
  group.choice("model of the ghost", "runs along with the scene; both are stepped to the same time",
    (): [string, string][] => [["none", ""], ...["full", "modal", "tree", "coupled", "blended"].map((name): [string, string] => [name, name])],
    () => hello.bodies.find((body) => body.ghost)?.model ?? "", (model) => send(encode.SetGhost({ model })));
  if (ghost)
    group.choice("place", "where the ghost is drawn", (): [string, Place][] => [["over the body", "over"], ["beside it", "beside"], ["hidden", "hidden"]], () => ghosts.place, (place) => {
      ghosts.place = place;
      ghosts.apply();
    });
}
