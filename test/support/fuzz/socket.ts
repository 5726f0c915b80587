import assert from "node:assert/strict";
import { once } from "node:events";
import { WebSocket } from "ws";
import type { RuntimeInfo } from "../../../engine/runtime/runtime-file.ts";
import type { Dice } from "../texts.ts";
import { WATCHDOG_MS } from "../until.ts";
import type { SentFrame } from "./frames.ts";
import { hostileText } from "./hostile-values.ts";
import { pick } from "./run.ts";

interface Frame {
  type: string;
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: frames of every shape are looked into.
  data: any;
}

/** What a provider says before it falls silent, so that the client ends the turn. */
export const HELD_TEXT = "hold the line";

const TERMINAL = /^chat\.(done|error|cancelled)$/;
/** What the engine says of a `chat.send` that starts no turn. */
const REFUSED = /^A turn is active|^The id of a frame/;

/** A client that answers questions of the engine, or does not, and counts how its turns end. */
export class FuzzSocket {
  readonly raw: WebSocket;
  /** Every frame as it came. */
  readonly texts: string[] = [];
  turnsSent = 0;
  readonly #dice: Dice;
  readonly #ended = new Map<string, number>();
  readonly #seenIds = new Set<string>();
  #refused = 0;
  #isSettling = false;
  #pongs = 0;
  #pings = 0;
  #wake: (() => void)[] = [];

  private constructor(raw: WebSocket, dice: Dice) {
    this.raw = raw;
    this.#dice = dice;
    raw.on("error", () => {
      // The close that follows wakes whatever waits.
    });
    raw.on("message", (bytes) => this.#receive(String(bytes)));
    raw.on("close", () => this.#wakeAll());
  }

  static async open({ host, port, token }: RuntimeInfo, dice: Dice): Promise<FuzzSocket> {
    const url = `ws://${host}:${port}/api/v1/events`;
    const raw = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` } });
    const socket = new FuzzSocket(raw, dice);
    await once(raw, "open");
    return socket;
  }

  /** Sends a frame, sometimes in fragments. */
  send({ bytes, isBinary, isTurn }: SentFrame): void {
    if (isTurn) this.turnsSent += 1;
    const whole = Buffer.from(bytes as string);
    if (whole.length < 2 || this.#dice(10) > 0) {
      this.raw.send(whole, { binary: isBinary });
      return;
    }
    const cut = 1 + this.#dice(whole.length - 1);
    this.raw.send(whole.subarray(0, cut), { binary: isBinary, fin: false });
    this.raw.send(Buffer.alloc(0), { fin: false });
    this.raw.send(whole.subarray(cut), { fin: true });
  }

  /** Sends this many pings and waits until each was answered. */
  async ping(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) this.raw.send('{"type":"ping"}');
    this.#pings += count;
    await this.#until(() => this.#pongs >= this.#pings, "a pong");
  }

  /** Cancels what still runs; resolves once every turn has ended in one way. */
  async settle(): Promise<void> {
    this.#isSettling = true;
    for (const id of this.#seenIds) this.#cancel(id);
    await this.idle();
    this.#isSettling = false;
  }

  /** Resolves once every turn has ended in one way, by itself or by this client. */
  async idle(): Promise<void> {
    const endings = () => [...this.#ended.values()].reduce((sum, one) => sum + one, this.#refused);
    await this.#until(() => endings() >= this.turnsSent, "the end of every turn");
    // Whatever would come twice is there before this.
    await this.ping(1);
    assert.equal(endings(), this.turnsSent);
  }

  #cancel(id: string): void {
    if (!this.#ended.has(id)) this.raw.send(JSON.stringify({ type: "chat.cancel", id }));
  }

  #receive(text: string): void {
    this.texts.push(text);
    const frame: Frame = JSON.parse(text);
    // The id of a turn that was sent without one is known from its first frame on.
    const isNew = frame.id !== undefined && !this.#seenIds.has(frame.id);
    if (frame.id !== undefined) this.#seenIds.add(frame.id);
    if (frame.type === "pong") this.#pongs += 1;
    if (frame.type === "error" && REFUSED.test(frame.data.error)) this.#refused += 1;
    if (TERMINAL.test(frame.type)) {
      this.#ended.set(String(frame.id), (this.#ended.get(String(frame.id)) ?? 0) + 1);
    }
    if (isNew && this.#isSettling) this.#cancel(String(frame.id));
    this.#answer(frame);
    this.#wakeAll();
  }

  #answer({ type, id, data }: Frame): void {
    const say = (reply: string, fields: object) =>
      this.raw.send(JSON.stringify({ type: reply, id, data: fields }));
    const isHeld = type === "agui.event" && String(data.delta).includes(HELD_TEXT);
    const isQuestion = type === "tool.approval.request" || type === "client.tool.request";
    if (isHeld || (isQuestion && this.#dice(4) === 0)) {
      say("chat.cancel", { turn_id: id });
    } else if (type === "tool.approval.request") {
      const decision = pick(this.#dice, ["approve", "APPROVE", "deny", 1, null]);
      say("tool.approval.response", { approval_id: hostileText(this.#dice, 100), decision });
      say("tool.approval.response", { approval_id: data.approval_id, decision });
      say("tool.approval.response", { approval_id: data.approval_id, decision: "approve" });
    } else if (type === "client.tool.request") {
      const result = pick(this.#dice, ["x", null, { deep: [[[]]] }, hostileText(this.#dice)]);
      say("client.tool.result", { request_id: data.request_id, ok: this.#dice(2) === 0, result });
      say("client.tool.result", { request_id: data.request_id, ok: true });
    }
  }

  async #until(fits: () => boolean, what: string): Promise<void> {
    const watchdog = AbortSignal.timeout(WATCHDOG_MS);
    watchdog.addEventListener("abort", () => this.#wakeAll());
    while (!fits()) {
      const last = this.texts.at(-1)?.slice(0, 300);
      assert.ok(!watchdog.aborted, `${what} did not come; the last frame was ${last}`);
      assert.equal(this.raw.readyState, WebSocket.OPEN, `the socket is closed: ${last}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
