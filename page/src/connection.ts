// The WebSocket to the server: decodes what comes, sends commands, and comes back when the server does.
import { decode, encode, type ServerMessage } from "./protocol";

/** "refused": there is a server, but it does not want this page. */
export type Link = "connecting" | "open" | "gone" | "refused";

export class Connection {
  onMessage: (message: ServerMessage, bytes: number) => void = () => {};
  onLink: (link: Link, reason: string) => void = () => {};
  private socket: WebSocket | null = null;
  private tries = 0;

  constructor(private readonly url: string) {}

  open(): void {
    if (this.tries === 0) this.onLink("connecting", "");
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.tries = 0;
      this.onLink("open", "");
    };
    socket.onmessage = (event) => {
      const frame = event.data as ArrayBuffer;
      let message: ServerMessage;
      try {
        message = decode(frame);
      } catch (error) {
        console.error(error);
        socket.close();
        return;
      }
      this.onMessage(message, frame.byteLength);
      if (message.kind === "State") this.send(encode.Ready({ epoch: message.epoch, step: message.step }));
    };
    socket.onclose = async (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.tries++;
      // a browser does not tell why a WebSocket failed
      const refused = !opened && (await fetch("/", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(3000) }).then((answer) => answer.ok, () => false));
      if (refused) this.onLink("refused", "");
      else this.onLink("gone", event.reason || (opened ? "the connection was closed" : "no answer"));
      setTimeout(() => this.open(), Math.min(3000, 250 * 1.5 ** this.tries));
    };
  }

  send(frame: ArrayBuffer): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(frame);
  }
}
