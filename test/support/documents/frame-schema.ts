import { z } from "zod";
import { correlatedFrames } from "../../../engine/chat/frames.ts";
import { inboundFrames, outboundFrames } from "../../../engine/realtime/frames.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** A JSON Schema of every WebSocket frame, made of the schemas that the engine itself reads and writes by. */
export function describeFrames(): object {
  return {
    $schema: DIALECT,
    title: "Roundhouse engine: frames of WS /api/v1/events",
    $defs: {
      inbound: { oneOf: Object.entries(inboundFrames).map(([type, data]) => inbound(type, data)) },
      outbound: {
        oneOf: Object.entries(outboundFrames).map(([type, data]) => outbound(type, data)),
      },
    },
    anyOf: [{ $ref: "#/$defs/inbound" }, { $ref: "#/$defs/outbound" }],
  };
}

function inbound(type: string, data: z.ZodType): object {
  return {
    type: "object",
    properties: {
      type: { const: type },
      id: { type: "string" },
      data: bare(z.toJSONSchema(data, { io: "input", unrepresentable: "any" })),
      v: {},
    },
    required: ["type"],
  };
}

function outbound(type: string, data: z.ZodType): object {
  const correlated = Object.hasOwn(correlatedFrames, type);
  return {
    type: "object",
    properties: {
      v: { const: 1 },
      type: { const: type },
      ...(correlated ? { id: { type: "string" } } : {}),
      data: bare(z.toJSONSchema(data, { unrepresentable: "any" })),
    },
    required: ["v", "type", ...(correlated ? ["id"] : []), "data"],
    additionalProperties: false,
  };
}

function bare({ $schema, ...schema }: z.core.JSONSchema.BaseSchema): object {
  return schema;
}
