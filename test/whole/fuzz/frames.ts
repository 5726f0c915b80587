import assert from "node:assert/strict";
import { once } from "node:events";
import { WebSocket } from "ws";
import type { RuntimeInfo } from "../../../engine/runtime/runtime-file.ts";
import { UI_TOOLS } from "../../../engine/tools/ui-tools.ts";
import { describeFrames } from "../../../tools/documents/frames.ts";
import type { Said } from "../../support/providers/wires.ts";
import { type Dice, pick } from "../../support/random.ts";
import { WATCHDOG_MS } from "../../support/time.ts";
import {
  brokenJson,
  hostileJson,
  hostileText,
  spoil,
  toValue,
  type ValueSchema,
} from "./values.ts";

/** What may stand in frames of a conversation. */
export interface FrameHarness {
  workspaceUuid: string;
  threadUuids: readonly string[];
}

/** A frame as it is sent: its bytes, and what a client remembers of it. */
export interface SentFrame {
  bytes: string | Buffer;
  isBinary: boolean;
  /** Whether it is a whole `chat.send`, so that exactly one answer ends it. */
  isTurn: boolean;
}

interface FrameDocument {
  $defs: Record<string, ValueSchema>;
}

// The document is made of plain objects alone.
const definitions = (describeFrames() as FrameDocument).$defs;
const inbound = (definitions.inbound?.oneOf ?? []).map(({ $ref }) => resolve($ref ?? ""));

/** The schema of the data of every inbound frame, by its type. */
export const INBOUND_DATA: ReadonlyMap<string, ValueSchema> = new Map(
  inbound.map(({ properties }) => [String(properties?.type?.const), properties?.data ?? {}]),
);

function resolve(reference: string): ValueSchema {
  const schema = definitions[reference.slice("#/$defs/".length)];
  if (!schema) throw new TypeError(`No definition is at ${reference}.`);
  return schema;
}

/** The first frames are one of each type; of the others, about half belong to a conversation. */
export function frameFor(harness: FrameHarness, dice: Dice, number: number): SentFrame {
  const types = [...INBOUND_DATA.keys()];
  const type = dice(3) === 0 ? "chat.send" : (types[number % types.length] ?? "ping");
  const data = dataFor(harness, dice, type);
  const isTurn = type === "chat.send";
  const spoiled = dice(4) === 0 ? spoil(dice, data) : data;
  const envelope = { type, ...idFor(dice, number, isTurn), data: spoiled };
  switch (dice(14)) {
    case 0:
      return other(JSON.stringify(spoil(dice, { type: "ping", data })), dice);
    case 1:
      return other(brokenJson(dice, JSON.stringify({ type: "ping", data })), dice);
    case 2:
      return other(JSON.stringify({ ...envelope, type: hostileText(dice, 2_000) }), dice);
    case 3:
      return other(JSON.stringify(hostileJson(dice)), dice);
    default:
      return { bytes: JSON.stringify(envelope), isBinary: false, isTurn };
  }
}

/** A frame that starts no turn; JSON text that happens to be binary starts none, either. */
function other(bytes: string | Buffer, dice: Dice): SentFrame {
  // Text frames that are no UTF-8 close their connection: the caller sends those on one of their own.
  const isBinary = typeof bytes !== "string" || dice(3) === 0;
  return { bytes, isBinary, isTurn: false };
}

// Only a turn has an id that is too long: how it is refused is counted.
function idFor(dice: Dice, number: number, isTurn: boolean): { id?: unknown; v?: unknown } {
  switch (dice(12)) {
    case 0:
      return {};
    case 1:
      return { id: hostileText(dice, isTurn ? 30_000 : 500) };
    case 2:
      return { id: isTurn ? hostileJson(dice) : null, v: hostileJson(dice) };
    default:
      return { id: `turn-${number}` };
  }
}

function dataFor(harness: FrameHarness, dice: Dice, type: string): unknown {
  if (type === "chat.send" && dice(5) > 0) {
    const target =
      dice(6) === 0
        ? { workspace_uuid: harness.workspaceUuid }
        : { thread_uuid: pick(dice, harness.threadUuids) };
    const content = dice(8) === 0 ? hostileText(dice, 20_000) : `say ${dice(100)}`;
    return { content, ...target };
  }
  const textFor = (name: string) => {
    if (name === "thread_uuid") return pick(dice, harness.threadUuids);
    if (name === "id") return pick(dice, UI_TOOLS).name;
    return dice(3) === 0 ? hostileText(dice, 20_000) : `text ${dice(10)}`;
  };
  const schema = INBOUND_DATA.get(type) ?? {};
  return toValue({ dice, resolve, textFor }, schema);
}

/** A frame that registers every tool of a client. */
export function registerAll(): SentFrame {
  const data = { tools: UI_TOOLS.map(({ name }) => ({ id: name })) };
  return { bytes: JSON.stringify({ type: "tool.register", data }), isBinary: false, isTurn: false };
}

/** What the model says in one step: text, or calls of tools, some of them broken. None leaves the root. */
export function stepFor(dice: Dice, number: number): Said[] {
  const said: Said[] = dice(3) === 0 ? [] : [{ text: `step ${number} `.repeat(1 + dice(200)) }];
  if (dice(3) > 0) return said;
  const calls = Array.from({ length: 1 + dice(3) }, (_, at): Said => {
    const names = dice(2) === 0 ? UI_TOOLS.map((tool) => tool.name) : SAFE_TOOLS;
    const name = dice(12) === 0 ? "no_such_tool" : pick(dice, names);
    const args = JSON.stringify(dice(4) === 0 ? hostileJson(dice) : argumentsFor(dice));
    const cut = dice(args.length + 1);
    const fragments = dice(10) === 0 ? [args.slice(0, cut)] : [args.slice(0, cut), args.slice(cut)];
    return { call: { id: `call-${number}-${at}`, name, fragments } };
  });
  return [...said, ...calls];
}

const SAFE_TOOLS = [
  "get_current_time",
  "list_workspace_roots",
  "list_workspace_folder",
  "search_workspace_files",
  "read_workspace_file",
  "create_workspace_file",
  "edit_workspace_file",
  "search_workspace_index",
];

function argumentsFor(dice: Dice): object {
  const path = pick(dice, ["a.txt", "d", "d/b.md", "new.txt", "../x", hostileText(dice, 3_000)]);
  const color = pick(dice, ["red", hostileText(dice, 3_000)]);
  const words = { query: hostileText(dice, 20_000), content: "x", old_text: "a", new_text: "b" };
  return { root_index: 0, path, color, mode: "dark", destination: "files", ...words };
}

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
  async drain(): Promise<void> {
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
