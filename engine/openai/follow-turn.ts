import { isJsonObject, parseJson } from "../../shared/json.ts";
import { readServerSentEvents } from "../client/server-sent-events.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import type { Turn } from "../turns/wire.ts";

/** A turn that has ended, with the text that was streamed of it. */
export interface FollowedTurn {
  turn: Turn;
  text: string;
}

/**
 * Reads the events of a turn to its end. A reader that was too slow goes on where it was.
 * @throws Error if the events are gone
 */
export async function followTurn(
  turns: ActiveTurns,
  uuid: string,
  onText: (text: string) => void,
): Promise<FollowedTurn> {
  let text = "";
  const take = (whole: string) => {
    const more = whole.slice(text.length);
    text += more;
    if (more !== "") onText(more);
  };
  let lastId: string | undefined;
  for (;;) {
    const events = turns.findEvents(uuid)?.open(lastId);
    if (!events) throw new Error("The events of a turn are gone.");
    for await (const { id, event, data: json } of readServerSentEvents(events)) {
      lastId = id;
      const data = parseJson(json);
      if (!isJsonObject(data)) continue;
      if (event === "model.delta") take(text + String(data.delta));
      if (event === "snapshot") take(String(data.text));
      // The engine wrote it.
      if (event === "end") return { turn: data as Turn, text };
    }
  }
}
