import { z } from "zod";
import { changeEvents } from "../../engine/events/change.ts";
import { engineEvents, GraphActivity } from "../../engine/events/event.ts";
import { turnEvents } from "../../engine/turns/turn-event.ts";
import { Approval, Turn } from "../../engine/turns/wire.ts";
import type { JsonObject } from "./document.ts";

const COMPONENTS = "#/components/schemas";

/** The components of what the event streams send: one for each event, and the unions of each stream. */
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
    ...turnComponents(),
  };
}

function changeComponents(): Record<string, JsonObject> {
  const events = Object.entries(changeEvents).map(([type, data]) => ({
    type,
    data: toDataSchema(data),
  }));
  events.push({ type: "resync", data: { type: "string", maxLength: 0 } });
  return serverSentComponents("Change", events);
}

/** The events of `GET /turns/{uuid}/events`: the graph events by their type, and its own. */
function turnComponents(): Record<string, JsonObject> {
  const activities = GraphActivity.options.map(({ shape }) => ({
    type: shape.type.value,
    data: { $ref: `${COMPONENTS}/${nameOf(shape.type.value, "Activity")}` },
  }));
  const own = Object.entries(turnEvents).map(([type, data]) => ({
    type,
    data: namedComponent(data) ?? toDataSchema(data),
  }));
  return serverSentComponents("Turn", [...activities, ...own]);
}

/** What is a component of the API already. */
function namedComponent(data: z.ZodType): JsonObject | undefined {
  if (data === Turn) return { $ref: `${COMPONENTS}/Turn` };
  return data === Approval ? { $ref: `${COMPONENTS}/Approval` } : undefined;
}

/** Events and their union, by the fields of a server-sent event: `data` is the JSON of its line. */
function serverSentComponents(
  stream: "Change" | "Turn",
  events: { type: string; data: JsonObject }[],
): Record<string, JsonObject> {
  const suffix = stream === "Change" ? "Change" : "TurnEvent";
  const components = events.map(({ type, data }) => [
    nameOf(type, suffix),
    {
      type: "object",
      properties: { id: { type: "string" }, event: { type: "string", const: type }, data },
      required: ["id", "event", "data"],
    },
  ]);
  const references = events.map(({ type }) => [type, `${COMPONENTS}/${nameOf(type, suffix)}`]);
  return {
    [`${stream}Event`]: {
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: "event", mapping: Object.fromEntries(references) },
    },
    ...Object.fromEntries(components),
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
