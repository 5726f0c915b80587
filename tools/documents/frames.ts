import { correlatedFrames } from "../../engine/chat/frames.ts";
import { inboundFrames, outboundFrames } from "../../engine/realtime/frames.ts";
import type { JsonObject } from "./document.ts";
import { activityDefinitions, describeData, nameOf } from "./events.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const V = "The version of the envelope: 1.";
const TYPE = "The type of the frame.";
const CLIENT_ID = "An id of the client; not needed.";
const ANSWERED_TURN_ID = "The id of the turn; it wins over `turn_id`.";
const CORRELATED_ID = "The id of the frame that this one belongs to.";
const DATA = "What the frame says.";

/** A JSON Schema of every WebSocket frame, made of the schemas that the engine itself reads and writes by. */
export function describeFrames(): object {
  const inbound = Object.entries(inboundFrames).map(([type, data]) => {
    const { description, envelope, schema } = describeData(data, "#/$defs", "input");
    const namesTurn = Object.hasOwn(schema.properties ?? {}, "turn_id");
    const id = envelope.id ?? (namesTurn ? ANSWERED_TURN_ID : CLIENT_ID);
    const frame = {
      description,
      type: "object",
      properties: {
        v: { description: V, type: "integer" },
        type: { description: TYPE, const: type },
        id: { description: id, type: "string" },
        data: { description: envelope.data ?? DATA, ...schema },
      },
      required: ["type"],
    };
    return [nameOf(type, "Frame"), frame] as const;
  });
  const outbound = Object.entries(outboundFrames).map(([type, data]) => {
    const { description, envelope, schema } = describeData(data, "#/$defs");
    const correlated = Object.hasOwn(correlatedFrames, type);
    const frame = {
      description,
      type: "object",
      properties: {
        v: { description: V, const: 1 },
        type: { description: TYPE, const: type },
        ...(correlated ? { id: { description: CORRELATED_ID, type: "string" } } : {}),
        data: { description: envelope.data ?? DATA, ...schema },
      },
      required: ["v", "type", ...(correlated ? ["id"] : []), "data"],
      additionalProperties: false,
    };
    return [nameOf(type, "Frame"), frame] as const;
  });
  const oneOf = (frames: readonly (readonly [name: string, frame: JsonObject])[]) =>
    frames.map(([name]) => ({ $ref: `#/$defs/${name}` }));
  return {
    $schema: DIALECT,
    title: "Roundhouse engine: frames of WS /api/v1/events",
    description:
      "Frames to the engine are `inbound`, frames from it `outbound`; `type` tells them apart.",
    $defs: {
      inbound: { description: "A frame to the engine.", oneOf: oneOf(inbound) },
      outbound: { description: "A frame from the engine.", oneOf: oneOf(outbound) },
      ...Object.fromEntries([...inbound, ...outbound]),
      ...activityDefinitions("#/$defs", false),
    },
    anyOf: [{ $ref: "#/$defs/inbound" }, { $ref: "#/$defs/outbound" }],
  };
}
