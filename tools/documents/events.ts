import { z } from "zod";
import { changeEvents } from "../../engine/events/change.ts";
import { engineEvents, GraphActivity } from "../../engine/events/event.ts";
import type { JsonObject } from "./document.ts";

const COMPONENTS = "#/components/schemas";

/** The components of what `GET /stream` sends: one for each event, and their union. */
export function eventComponents(): Record<string, JsonObject> {
  const events = Object.entries(engineEvents).map(([type, data]) => ({
    type,
    name: nameOf(type, "Event"),
    schema: {
      type: "object",
      properties: {
        type: { type: "string", const: type },
        timestamp: { type: "string", format: "date-time" },
        data: data === GraphActivity ? { $ref: `${COMPONENTS}/GraphActivity` } : toDataSchema(data),
      },
      required: ["type", "timestamp", "data"],
    },
  }));
  const references = events.map(({ type, name }) => [type, `${COMPONENTS}/${name}`]);
  return {
    StreamEvent: {
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: "type", mapping: Object.fromEntries(references) },
    },
    ...Object.fromEntries(events.map(({ name, schema }) => [name, schema])),
    ...activityDefinitions(COMPONENTS, true),
    ...changeComponents(),
  };
}

/** The events of `GET /changes`, by the fields of a server-sent event: `data` is the JSON of its line. */
function changeComponents(): Record<string, JsonObject> {
  const events = Object.entries(changeEvents).map(([type, data]) => ({
    type,
    name: nameOf(type, "Change"),
    data: toDataSchema(data),
  }));
  events.push({ type: "resync", name: "ResyncChange", data: { type: "string", maxLength: 0 } });
  const references = events.map(({ type, name }) => [type, `${COMPONENTS}/${name}`]);
  return {
    ChangeEvent: {
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: "event", mapping: Object.fromEntries(references) },
    },
    ...Object.fromEntries(
      events.map(({ type, name, data }) => [
        name,
        {
          type: "object",
          properties: { id: { type: "string" }, event: { type: "string", const: type }, data },
          required: ["id", "event", "data"],
        },
      ]),
    ),
  };
}

/**
 * What happens in the graph of a turn, by name, and its union. `place` is where definitions are: `#/$defs`, or the
 * components of an OpenAPI document, which may have a discriminator.
 */
export function activityDefinitions(
  place: string,
  hasDiscriminator: boolean,
): Record<string, JsonObject> {
  const activities = GraphActivity.options.map((option) => {
    const type = option.shape.type.value;
    return { type, name: nameOf(type, "Activity"), schema: toDataSchema(option) };
  });
  const references = activities.map(({ type, name }) => [type, `${place}/${name}`]);
  const mapping = Object.fromEntries(references);
  return {
    GraphActivity: {
      oneOf: references.map(([, $ref]) => ({ $ref })),
      ...(hasDiscriminator ? { discriminator: { propertyName: "type", mapping } } : {}),
    },
    ...Object.fromEntries(activities.map(({ name, schema }) => [name, schema])),
  };
}

/** `thread.created` → `ThreadCreatedEvent`. */
export function nameOf(type: string, suffix: string): string {
  const words = type.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}${suffix}`;
}

/** The JSON Schema of the data of an event or frame. */
export function toDataSchema(data: z.ZodType, io: "input" | "output" = "output"): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(data, { io, unrepresentable: "any" });
  return schema;
}
