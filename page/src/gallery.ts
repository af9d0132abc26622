// The gallery: scenes to choose from, each with a picture and a line; and how far the building of one is.
import type { Building, Gallery } from "./protocol";
import { make } from "./tool_card";

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.round(seconds) % 60).padStart(2, "0")} s`;
}

export interface GalleryActions {
  open(name: string): void;
  cancel(): void;
  /** Whether a scene runs that one can go back to. */
  running(): boolean;
}

export class Scenes {
  private readonly box = document.getElementById("gallery")!;
  private readonly card = document.getElementById("building")!;
  private readonly bar = make("progress", { max: 1 });
  private readonly stage = make("p");
  private readonly title = make("h2");
  private readonly stop = make("button", { type: "button", textContent: "cancel", title: "stop building" });
  private list: Gallery["items"] = [];
  private stageText = "";
  private began = 0; // when the present stage began, ms

  constructor(private readonly actions: GalleryActions) {
    this.card.append(this.title, this.stage, this.bar, this.stop);
    this.stop.addEventListener("click", () => actions.cancel());
  }

  get offered(): boolean {
    return this.list.length > 0;
  }
  get shown(): boolean {
    return !this.box.hidden;
  }
  has(name: string): boolean {
    return this.list.some((item) => item.name === name);
  }

  receive(gallery: Gallery): void {
    this.list = gallery.items;
    const close = make("button", { type: "button", className: "close", textContent: "back", title: "back to the scene (Esc)" });
    close.addEventListener("click", () => this.show(false));
    const cards = this.list.map((item) => {
      const picture = item.picture ? make("img", { src: `./gallery/${encodeURIComponent(item.name)}.jpg`, alt: "", loading: "lazy", width: 400, height: 250 }) : make("div", { className: "no-picture" });
      const made = make("button", { type: "button", className: "scene", title: `open ${item.name}` }, picture,
        make("strong", { textContent: item.name.replaceAll("_", " ") }), make("span", { textContent: item.about }));
      made.addEventListener("click", () => this.open(item.name));
      return made;
    });
    this.box.replaceChildren(make("header", {}, make("div", {}, make("h1", { textContent: "Pliant" }), make("p", { className: "quiet", textContent: "Solids that bend far, in real time. Choose a scene, then drag its body." })), close),
      make("div", { className: "grid" }, ...cards));
  }

  open(name: string): void {
    this.show(false);
    this.actions.open(name);
  }

  show(on: boolean): void {
    if (on && !this.offered) return;
    this.box.hidden = !on;
    document.body.classList.toggle("choosing", on);
    const close = this.box.querySelector<HTMLElement>(".close"); // none before the gallery has come
    if (close) close.hidden = !this.actions.running();
    if (on) this.box.querySelector<HTMLElement>(".scene")?.focus({ preventScroll: true });
  }

  /** How far the building of a scene is. */
  building(message: Building): void {
    this.card.hidden = message.running === 0;
    document.body.classList.toggle("building", message.running !== 0);
    if (!message.running) return;
    if (message.stage !== this.stageText) {
      this.stageText = message.stage;
      this.began = performance.now();
    }
    this.title.textContent = message.scene.replaceAll("_", " ");
    const passed = (performance.now() - this.began) / 1000;
    const left = message.done > 0.02 && passed > 1 ? `, about ${duration((passed * (1 - message.done)) / message.done)} left` : passed > 2 ? `, ${duration(passed)}` : "";
    this.stage.textContent = `${message.stage || "reading"}${left}`;
    if (message.done < 0) this.bar.removeAttribute("value");
    else this.bar.value = message.done;
  }
}
