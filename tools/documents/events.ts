import { z } from "zod";
import { changeEvents } from "../../engine/events/change.ts";
import { engineEvents, GraphActivity } from "../../engine/events/event.ts";
import { turnEvents } from "../../engine/turns/turn-event.ts";
import { orderSchema } from "./complete.ts";
import type { JsonObject } from "./document.ts";

const COMPONENTS = "#/components/schemas";

const STREAM_ENVELOPE = {
  type: "The type of the event.",
  timestamp: "When it was published, ISO-8601 in UTC.",
};
const CHANGE_ENVELOPE = {
  id: "The id after which a client resumes.",
  event: "The type of the change.",
  data: "What changed, by id and name; never its content.",
};
const TURN_ENVELOPE = {
  id: "The id after which a client resumes; a snapshot has that of the last event that it covers.",
  event: "The type of the event.",
  data: "The graph event.",
};
const RESYNC = {
  description:
    "Changes after the given id are lost: the client must reload its data. Its `data:` is empty.",
  envelope: {},
  schema: { type: "string", maxLength: 0 },
};

/** The components of what the event streams send: one for each event, and the unions of each stream. */
export function eventComponents(): Record<string, JsonObject> {
  const events = Object.entries(engineEvents).map(([type, data]) => {
    const { description, envelope, schema } = describeData(data, COMPONENTS);
    const component = {
      description,
      type: "object",
      properties: {
        type: { description: STREAM_ENVELOPE.type, type: "string", const: type },
        timestamp: {
          description: STREAM_ENVELOPE.timestamp,
          type: "string",
          format: "date-time",
        },
        data: { description: envelope.data, ...schema },
      },
      required: ["type", "timestamp", "data"],
    };
    return { type, name: nameOf(type, "Event"), component };
  });
  const references = events.map(({ type, name }) => [type, `${COMPONENTS}/${name}`]);
  return {
    StreamEvent: {
      description: "An event of the stream; `type` says which.",
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: "type", mapping: Object.fromEntries(references) },
    },
    ...Object.fromEntries(events.map(({ name, component }) => [name, component])),
    ...activityDefinitions(COMPONENTS, true),
    ...changeComponents(),
    ...turnComponents(),
  };
}

function changeComponents(): Record<string, JsonObject> {
  const events = Object.entries(changeEvents).map(([type, data]) => ({
    type,
    ...describeData(data, COMPONENTS),
  }));
  return serverSentComponents("Change", "A change; `event` says which.", CHANGE_ENVELOPE, [
    ...events,
    { type: "resync", ...RESYNC },
  ]);
}

function turnComponents(): Record<string, JsonObject> {
  const activities = GraphActivity.options.map((option) => {
    const type = option.shape.type.value;
    const schema = { $ref: `${COMPONENTS}/${nameOf(type, "Activity")}` };
    return { type, ...describeData(option, COMPONENTS), schema };
  });
  const own = Object.entries(turnEvents).map(([type, data]) => ({
    type,
    ...describeData(data, COMPONENTS),
  }));
  return serverSentComponents("Turn", "An event of a turn; `event` says which.", TURN_ENVELOPE, [
    ...activities,
    ...own,
  ]);
}

/** Events and their union, by the fields of a server-sent event: `data` is the JSON of its line. */
function serverSentComponents(
  stream: "Change" | "Turn",
  about: string,
  texts: { id: string; event: string; data: string },
  events: ({ type: string } & DescribedData)[],
): Record<string, JsonObject> {
  const suffix = stream === "Change" ? "Change" : "TurnEvent";
  const components = events.map(({ type, description, envelope, schema }) => [
    nameOf(type, suffix),
    {
      description,
      type: "object",
      properties: {
        id: { description: texts.id, type: "string" },
        event: { description: texts.event, type: "string", const: type },
        data: { description: envelope.data ?? texts.data, ...schema },
      },
      required: ["id", "event", "data"],
    },
  ]);
  const references = events.map(({ type }) => [type, `${COMPONENTS}/${nameOf(type, suffix)}`]);
  return {
    [`${stream}Event`]: {
      description: about,
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
    const { envelope, ...schema } = toDataSchema(option);
    return { type, name: nameOf(type, "Activity"), schema: orderSchema(schema) };
  });
  const references = activities.map(({ type, name }) => [type, `${place}/${name}`]);
  const mapping = Object.fromEntries(references);
  return {
    GraphActivity: {
      description: GraphActivity.description,
      oneOf: references.map(([, $ref]) => ({ $ref })),
      ...(hasDiscriminator ? { discriminator: { propertyName: "type", mapping } } : {}),
    },
    ...Object.fromEntries(activities.map(({ name, schema }) => [name, schema])),
  };
}

/** Data of an event or frame, with the texts of the fields around it. */
interface DescribedData {
  /** Of the event or frame. */
  description: string | undefined;
  envelope: { id?: string; data?: string };
  schema: JsonObject;
}

/** `place` is where definitions are. */
export function describeData(
  data: z.ZodType,
  place: string,
  io: "input" | "output" = "output",
): DescribedData {
  const { description, envelope, ...schema } = toDataSchema(data, io);
  // Texts are declared by `.meta()`, which takes any value.
  const texts = (envelope ?? {}) as DescribedData["envelope"] & { description?: string };
  const component = componentOf(data);
  return {
    description: texts.description ?? (description as string | undefined),
    envelope: texts,
    schema: component ? { $ref: `${place}/${component}` } : orderSchema(schema),
  };
}

/** What has a definition of its own. */
function componentOf(data: z.ZodType): string | undefined {
  if (data instanceof z.ZodDiscriminatedUnion) return "GraphActivity";
  if (data === turnEvents.end) return "Turn";
  return data === turnEvents.approval ? "Approval" : undefined;
}

/** `thread.created` → `ThreadCreatedEvent`. */
export function nameOf(type: string, suffix: string): string {
  const words = type.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}${suffix}`;
}

function toDataSchema(data: z.ZodType, io: "input" | "output" = "output"): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(data, {
    io,
    unrepresentable: "any",
    // A text for the OpenAPI document alone.
    override: ({ jsonSchema }) => delete jsonSchema.http,
  });
  return schema;
}
