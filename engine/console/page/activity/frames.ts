import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TurnEvent } from "../../../client/client.ts";
import { onChange } from "../changes.ts";
import { engine } from "../session.ts";
import { isShown } from "../shown.ts";

/** An event of a turn, as it arrived. */
export interface SeenFrame {
  /** Milliseconds since the epoch. */
  at: number;
  /** Of the turn's own count. */
  id: string;
  turnUuid: string;
  event: string;
  data: unknown;
}

const FRAMES_KEPT_MAX = 500;
// A turn takes 16 readers, and a browser opens six connections.
const TURNS_FOLLOWED_MAX = 2;

/** The last events of the turns that ran while the page was shown, the oldest first. */
export const frames = signal<readonly SeenFrame[]>([]);

/** Follows the turns that run while the page is shown. */
export function useFrames(): void {
  const shown = isShown();
  useEffect(() => {
    if (!shown) return;
    const leaving = new AbortController();
    const followed = new Set<string>();
    const follow = (uuid: string) => {
      if (followed.has(uuid) || followed.size >= TURNS_FOLLOWED_MAX) return;
      followed.add(uuid);
      readFrames(uuid, leaving.signal).finally(() => followed.delete(uuid));
    };
    const stop = onChange((change) => {
      if (change.type === "turn.updated" && change.data.state === "running") {
        follow(change.data.turnUuid);
      }
    });
    engine.turns
      .list({ state: "running", limit: TURNS_FOLLOWED_MAX }, { signal: leaving.signal })
      .then(
        (turns) => turns.map(({ uuid }) => follow(uuid)),
        // The page has gone, or shows elsewhere that the engine does not answer.
        () => undefined,
      );
    return () => {
      stop();
      leaving.abort();
    };
  }, [shown]);
}

async function readFrames(uuid: string, signal: AbortSignal): Promise<void> {
  try {
    const after = frames.value.findLast(({ turnUuid }) => turnUuid === uuid)?.id;
    const query = after === undefined ? {} : { after };
    for await (const frame of engine.turns.streamEvents(uuid, query, { signal })) add(uuid, frame);
  } catch {
    // A turn of the WebSocket has no events, and one that was deleted has none any more.
  }
}

function add(turnUuid: string, { id, event, data }: TurnEvent): void {
  const seen = { at: Date.now(), id, turnUuid, event, data };
  frames.value = [...frames.value, seen].slice(-FRAMES_KEPT_MAX);
}
