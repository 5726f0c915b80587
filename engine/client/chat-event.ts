import { toCamelCase } from "../../shared/client/names.ts";
import type { ChatEvent } from "./chat.ts";
import type { Turn } from "./wire.generated.ts";

// Events whose data are the fields of the client's event.
const PLAIN = /^(tool|approval|retry)$/;
// Events of the graph, whose names are in snake_case.
const GRAPH = /^(run\.(started|completed|aborted|failed)|node\.(started|completed))$/;

/** An event of a turn, by its type, as documented by the engine. */
export function toChatEvent(type: string, data: unknown): ChatEvent {
  if (type === "model.delta") return { type: "text", delta: (data as { delta: string }).delta };
  if (type === "end") return { type, turn: data as Turn };
  if (PLAIN.test(type)) return { ...Object(data), type };
  if (GRAPH.test(type)) return toCamelCase(data) as ChatEvent;
  return { type: "other", event: type, data };
}
