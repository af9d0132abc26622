// The parts of the panel for what is shown besides the simulation: modes, the ghost, recordings.
import type GUI from "lil-gui";
import type { Ghosts } from "./ghost";
import type { Modes } from "./modes";
import type { Hello } from "./protocol";
import type { Recorder } from "./record";

export function addExtras(gui: GUI, hello: Hello, modes: Modes, ghosts: Ghosts, recorder: Recorder): void {
  const shapes = gui.addFolder("mode shapes");
  const names: Record<string, number> = {};
  hello.bodies.forEach((body, b) => {
    if (body.model !== "recorded") names[body.ghost ? `${body.name} (ghost)` : body.name] = b;
  });
  const choice = { body: 0, mode: 0, amplitude: modes.amplitude, shown: "" };
  const show = () => modes.show(choice.body, choice.mode - 1);
  if (Object.keys(names).length > 1) shapes.add(choice, "body", names).onChange(show);
  shapes.add(choice, "mode", 0, 12, 1).name("mode (0: none)").onFinishChange(show);
  shapes.add(choice, "amplitude", 0.01, 0.4, 0.01).onChange((a: number) => (modes.amplitude = a));
  const line = shapes.add(choice, "shown").name("").disable();
  modes.onShow = (text) => {
    choice.shown = text;
    line.updateDisplay();
  };
  shapes.close();

  if (hello.bodies.some((body) => body.ghost)) {
    const folder = gui.addFolder(`ghost: ${hello.bodies.find((body) => body.ghost)!.model}`);
    folder.add(ghosts, "place", ["over", "beside", "hidden"]).onChange(() => ghosts.apply());
  }

  const record = gui.addFolder("record");
  record.add({ act: () => recorder.picture() }, "act").name("picture (PNG)");
  const film = record.add({ act: () => recorder.toggleFilm() }, "act");
  const gltf = record.add({ act: () => recorder.toggleGltf() }, "act");
  recorder.onChange = () => {
    film.name(recorder.filming ? "■ end the film" : "film (WebM)");
    gltf.name(recorder.recording ? "■ end the recording" : "recording (glTF)");
  };
  recorder.onChange();
  record.close();
}
