// What people keep: a picture, a film of the canvas as it is seen, and what the server has recorded as glTF.
import { encode, type Recorded } from "./protocol";
import type { Stage } from "./stage";

function keep(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export class Recorder {
  private film: MediaRecorder | null = null;
  private gltf = false; // as the server says

  constructor(private readonly stage: Stage, private readonly send: (frame: ArrayBuffer) => void,
              private readonly name: () => string, private readonly say: (text: string, trouble: boolean) => void) {}

  get filming(): boolean {
    return this.film !== null;
  }
  get recording(): boolean {
    return this.gltf;
  }

  /** The canvas as a PNG. */
  picture(): void {
    this.stage.changed = true;
    this.stage.draw();
    this.stage.renderer.domElement.toBlob((blob) => blob && keep(blob, `${this.name()}.png`), "image/png");
  }

  /** Begins or ends a WebM of what the canvas shows. */
  toggleFilm(): void {
    if (this.film) {
      this.film.stop();
      return;
    }
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((one) => window.MediaRecorder?.isTypeSupported(one));
    if (!type) {
      this.say("this browser cannot record WebM", true);
      return;
    }
    const parts: Blob[] = [];
    const film = new MediaRecorder(this.stage.renderer.domElement.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
    film.ondataavailable = (event) => parts.push(event.data);
    film.onstop = () => {
      this.film = null;
      keep(new Blob(parts, { type: "video/webm" }), `${this.name()}.webm`);
    };
    film.start(500);
    this.film = film;
    this.say("filming", false);
  }

  /** Begins or ends a recording by the server, which comes back as a glTF file. */
  toggleGltf(): void {
    this.send(encode.Record({ on: this.gltf ? 0 : 1 }));
  }

  /** Whether the server records. */
  told(recording: boolean): void {
    this.gltf = recording;
  }

  receive(recorded: Recorded): void {
    const bytes = new Uint8Array(recorded.words.buffer, recorded.words.byteOffset, recorded.bytes).slice();
    this.last = bytes;
    keep(new Blob([bytes], { type: "model/gltf-binary" }), recorded.name);
    this.say(`${recorded.name}: ${(recorded.bytes / 1e6).toFixed(1)} MB`, false);
  }
  /** The file that came last, for scripts. */
  last: Uint8Array | null = null;
}
