import { z } from "zod";
import { describeIssues } from "../../shared/http/issues.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import {
  type BroadcastFrame,
  broadcastFrames,
  type CorrelatedFrame,
  correlatedFrames,
} from "../chat/frames.ts";
import {
  ANY_JSON,
  ApprovalResponse,
  ChatCancel,
  ChatNotification,
  ChatSend,
  ClientToolResult,
  FrameId,
} from "../chat/wire.ts";
import { invalid } from "../errors.ts";
import type { MessageOf } from "../events/event.ts";
import { FRAME_ID_CHARACTERS_MAX } from "../limits.ts";
import { UI_TOOL_IDS } from "../tools/ui-tools.ts";
import { CLIENT_ID_CHARACTERS_MAX, UI_TOOLS_PER_FRAME_MAX } from "./limits.ts";

/** `client.hello`. A blank id counts as none; an invalid name is ignored, since it is for display only. */
const ClientHello = z
  .object({
    clientId: z
      .string()
      .max(CLIENT_ID_CHARACTERS_MAX)
      .nullish()
      .describe(
        "The id of the client, unique among connections; the engine makes one where it is left out.",
      ),
    clientName: z.string().nullish().catch(undefined).describe("A name to show."),
  })
  .describe(
    "Registers the connection, so that it gets `message.created` and `thread.created` of others.",
  );

// Other ids are refused by name, later.
const UiToolId = FrameId.meta({ description: "One of the five UI tools.", enum: UI_TOOL_IDS });

/** Fields of a tool other than `id` are ignored. */
const ToolRegister = z
  .object({
    tools: z
      .array(z.object({ id: UiToolId }))
      .max(UI_TOOLS_PER_FRAME_MAX)
      .describe("The tools."),
  })
  .describe("Offers UI tools, which turns of this connection may call.");

const ToolUnregister = z.object({ id: UiToolId }).describe("Takes a UI tool back.");

const Ignored = z.unknown().meta({ ...ANY_JSON, envelope: { data: "Ignored." } });
const WithoutEffect = Ignored.describe("Accepted, and without effect.");

/** The data of every inbound frame, by its type (Engine §4, inbound frames). */
export const inboundFrames = {
  "client.hello": ClientHello,
  ping: Ignored.describe("Asks for `pong`."),
  "chat.send": ChatSend,
  "chat.cancel": ChatCancel,
  "chat.notification": ChatNotification,
  "tool.approval.response": ApprovalResponse,
  "tool.register": ToolRegister,
  "tool.unregister": ToolUnregister,
  "client.tool.result": ClientToolResult,
  "profile.set": WithoutEffect,
  "tool.result": WithoutEffect,
};

/** Outbound frames of the connection itself; never correlated. */
const connectionFrames = {
  "client.hello.ack": z
    .object({ clientId: z.string().describe("The id of the client.") })
    .describe("The connection is registered."),
  "client.hello.reject": z
    .object({ reason: z.string().describe("Why, as a sentence.") })
    .describe("The connection is not registered."),
  pong: z.null().meta({ description: "Answers `ping`.", envelope: { data: "Always null." } }),
  error: z
    .object({ error: z.string().describe("Why, as a sentence.") })
    .describe("A frame could not be used. It belongs to no turn."),
};

/** The data of every outbound frame, by its type (Engine §6, outbound WebSocket frames). */
export const outboundFrames = { ...connectionFrames, ...correlatedFrames, ...broadcastFrames };

/** A frame to a client. */
export type OutboundFrame = MessageOf<typeof connectionFrames> | CorrelatedFrame | BroadcastFrame;

type InboundType = keyof typeof inboundFrames;

/** A frame with valid data; its id is undefined if it has none. */
export type ValidFrame = MessageOf<typeof inboundFrames, { id: string | undefined }>;

/** A frame with invalid data. */
export interface InvalidFrame {
  type: InboundType;
  id: string | undefined;
  /** As received; an empty object in the place of any other value. */
  data: Record<string, unknown>;
  /** The invalid fields, as a part of a sentence. */
  invalid: string;
}

const TYPE_CHARACTERS_SHOWN = 100;

/** @throws EngineError `invalid` with the text of the `error` frame. `v` and all unknown fields are ignored. */
export function parseFrame(text: string): ValidFrame | InvalidFrame {
  const envelope = parseJson(text);
  if (envelope === undefined) throw invalid("The frame is not valid JSON.");
  if (!isJsonObject(envelope)) throw invalid("A frame must be a JSON object.");
  const { type } = envelope;
  if (typeof type !== "string") throw invalid("Unknown frame type: the type is missing.");
  if (!isInboundType(type)) {
    throw invalid(`Unknown frame type: ${type.slice(0, TYPE_CHARACTERS_SHOWN).toWellFormed()}`);
  }
  if (typeof envelope.id === "string" && envelope.id.length > FRAME_ID_CHARACTERS_MAX) {
    throw invalid(`The id of a frame must have at most ${FRAME_ID_CHARACTERS_MAX} characters.`);
  }
  const id = typeof envelope.id === "string" && envelope.id !== "" ? envelope.id : undefined;
  const data = isJsonObject(envelope.data) ? envelope.data : {};
  const parsed = inboundFrames[type].safeParse(data);
  if (!parsed.success) return { type, id, data, invalid: describeIssues(parsed.error.issues) };
  // The schema of this type parsed the data; TypeScript does not relate the two.
  return { type, id, data: parsed.data } as ValidFrame;
}

/** Always `v` = 1; `id` only if the frame is correlated. */
export function encodeFrame(frame: OutboundFrame): string {
  const id = "id" in frame ? frame.id : undefined;
  return JSON.stringify({ v: 1, type: frame.type, id, data: frame.data });
}

function isInboundType(type: string): type is InboundType {
  return Object.hasOwn(inboundFrames, type);
}
