import { z } from "zod";
import {
  type BroadcastFrame,
  broadcastFrames,
  type CorrelatedFrame,
  correlatedFrames,
} from "../chat/frames.ts";
import {
  ApprovalResponse,
  ChatCancel,
  ChatNotification,
  ChatSend,
  ClientToolResult,
  FrameId,
} from "../chat/wire.ts";
import { invalid } from "../errors.ts";
import {
  CLIENT_ID_CHARACTERS_MAX,
  FRAME_ID_CHARACTERS_MAX,
  UI_TOOLS_PER_FRAME_MAX,
} from "../limits.ts";

/** `client.hello`; a blank id asks for none. The name is for people: a strange one is no reason to reject the id. */
export const ClientHello = z.object({
  clientId: z.string().max(CLIENT_ID_CHARACTERS_MAX).nullish(),
  clientName: z.string().nullish().catch(undefined),
});

/** Fields of a tool other than `id` are ignored. */
export const ToolRegister = z.object({
  tools: z.array(z.object({ id: FrameId })).max(UI_TOOLS_PER_FRAME_MAX),
});

export const ToolUnregister = z.object({ id: FrameId });

const Ignored = z.unknown();

/** The data of every inbound frame, by its type (Engine §4, inbound frames). */
export const inboundFrames = {
  "client.hello": ClientHello,
  ping: Ignored,
  "chat.send": ChatSend,
  "chat.cancel": ChatCancel,
  "chat.notification": ChatNotification,
  "tool.approval.response": ApprovalResponse,
  "tool.register": ToolRegister,
  "tool.unregister": ToolUnregister,
  "client.tool.result": ClientToolResult,
  "profile.set": Ignored,
  "tool.result": Ignored,
};

/** Outbound frames that answer the connection itself; never correlated. */
const connectionFrames = {
  "client.hello.ack": z.object({ clientId: z.string() }),
  "client.hello.reject": z.object({ reason: z.string() }),
  pong: z.null(),
  error: z.object({ error: z.string() }),
};

/** The data of every outbound frame, by its type (Engine §6, outbound WebSocket frames). */
export const outboundFrames = { ...connectionFrames, ...correlatedFrames, ...broadcastFrames };

type ConnectionFrame = {
  [Type in keyof typeof connectionFrames]: {
    type: Type;
    data: z.infer<(typeof connectionFrames)[Type]>;
  };
}[keyof typeof connectionFrames];

export type OutboundFrame = ConnectionFrame | CorrelatedFrame | BroadcastFrame;

export type InboundType = keyof typeof inboundFrames;

/** A frame whose envelope was read; its data is checked by whoever handles it. */
export interface InboundFrame {
  type: InboundType;
  /** Undefined where there was none to correlate with. */
  id: string | undefined;
  /** What is no object counts as an empty one. */
  data: Record<string, unknown>;
}

const TYPE_CHARACTERS_SHOWN = 100;

/** @throws EngineError `invalid` with the text of the `error` frame. `v` and all unknown fields are ignored. */
export function parseFrame(text: string): InboundFrame {
  const envelope = parseJson(text);
  if (!isObject(envelope)) throw invalid("A frame must be a JSON object.");
  const { type, id, data } = envelope;
  if (typeof type !== "string") throw invalid("Unknown frame type: the type is missing.");
  if (!isInboundType(type)) {
    throw invalid(`Unknown frame type: ${type.slice(0, TYPE_CHARACTERS_SHOWN).toWellFormed()}`);
  }
  if (typeof id === "string" && id.length > FRAME_ID_CHARACTERS_MAX) {
    throw invalid(`The id of a frame must have at most ${FRAME_ID_CHARACTERS_MAX} characters.`);
  }
  return {
    type,
    id: typeof id === "string" && id !== "" ? id : undefined,
    data: isObject(data) ? data : {},
  };
}

/** Always `v` = 1; `id` only where the frame is correlated. */
export function encodeFrame(frame: OutboundFrame): string {
  const id = "id" in frame ? frame.id : undefined;
  return JSON.stringify({ v: 1, type: frame.type, id, data: frame.data });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("The frame is not valid JSON.");
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInboundType(type: string): type is InboundType {
  return Object.hasOwn(inboundFrames, type);
}
