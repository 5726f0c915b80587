import { correlatedFrames } from "../../engine/chat/frames.ts";
import { GraphActivity } from "../../engine/events/event.ts";
import { frameTexts } from "../../engine/realtime/frame-texts.ts";
import { inboundFrames, outboundFrames } from "../../engine/realtime/frames.ts";
import { IncompleteTexts } from "./complete.ts";
import { describeSchemas } from "./describe-schemas.ts";
import type { JsonObject } from "./document.ts";
import { activityDefinitions, nameOf, toDataSchema } from "./events.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * A JSON Schema of every WebSocket frame, made of the schemas that the engine itself reads and writes by.
 * @throws IncompleteTexts
 */
export function describeFrames(): object {
  const inbound = Object.entries(inboundFrames).map(([type, data]) => ({
    name: nameOf(type, "Frame"),
    schema: {
      type: "object",
      properties: {
        v: { type: "integer" },
        type: { const: type },
        id: { type: "string" },
        data: toDataSchema(data, "input"),
      },
      required: ["type"],
    },
  }));
  const outbound = Object.entries(outboundFrames).map(([type, data]) => {
    const correlated = Object.hasOwn(correlatedFrames, type);
    return {
      name: nameOf(type, "Frame"),
      schema: {
        type: "object",
        properties: {
          v: { const: 1 },
          type: { const: type },
          ...(correlated ? { id: { type: "string" } } : {}),
          data: data === GraphActivity ? { $ref: "#/$defs/GraphActivity" } : toDataSchema(data),
        },
        required: ["v", "type", ...(correlated ? ["id"] : []), "data"],
        additionalProperties: false,
      },
    };
  });
  const union = (frames: readonly { name: string }[]): JsonObject => ({
    oneOf: frames.map(({ name }) => ({ $ref: `#/$defs/${name}` })),
  });
  const definitions = {
    inbound: union(inbound),
    outbound: union(outbound),
    ...Object.fromEntries([...inbound, ...outbound].map(({ name, schema }) => [name, schema])),
    ...activityDefinitions("#/$defs", false),
  };
  const faults: string[] = [];
  const $defs = describeSchemas(definitions, { slices: [frameTexts], components: {} }, faults);
  if (faults.length > 0) throw new IncompleteTexts(faults);
  return {
    $schema: DIALECT,
    title: "Roundhouse engine: frames of WS /api/v1/events",
    description:
      "Frames to the engine are `inbound`, frames from it `outbound`; `type` tells them apart.",
    $defs,
    anyOf: [{ $ref: "#/$defs/inbound" }, { $ref: "#/$defs/outbound" }],
  };
}
