import { UI_TOOLS } from "../../../engine/tools/ui-tools.ts";
import { describeFrames } from "../../../tools/documents/frames.ts";
import type { Said } from "../providers/wires.ts";
import type { Dice } from "../texts.ts";
import { brokenJson, hostileJson, hostileText } from "./hostile-values.ts";
import { pick } from "./run.ts";
import { spoil, toValue, type ValueSchema } from "./schema-values.ts";

/** What may stand in frames of a conversation. */
export interface FrameWorld {
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
export function frameFor(world: FrameWorld, dice: Dice, number: number): SentFrame {
  const types = [...INBOUND_DATA.keys()];
  const type = dice(3) === 0 ? "chat.send" : (types[number % types.length] ?? "ping");
  const data = dataFor(world, dice, type);
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

function dataFor(world: FrameWorld, dice: Dice, type: string): unknown {
  if (type === "chat.send" && dice(5) > 0) {
    const target =
      dice(6) === 0
        ? { workspace_uuid: world.workspaceUuid }
        : { thread_uuid: pick(dice, world.threadUuids) };
    const content = dice(8) === 0 ? hostileText(dice, 20_000) : `say ${dice(100)}`;
    return { content, ...target };
  }
  const textFor = (name: string) => {
    if (name === "thread_uuid") return pick(dice, world.threadUuids);
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
