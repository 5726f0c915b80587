import type { Turn } from "../../../client/client.ts";
import { nameNewThread } from "../../../client/new-thread-title.ts";
import { onChange } from "../changes.ts";
import { engine } from "../session.ts";
import { fallbackModel } from "../ui/fallback-model.tsx";

/** Has a model name a chat that begins with this turn, once its first answer is there, on whichever page that is. */
export function nameWhenAnswered({ uuid, threadUuid }: Turn): void {
  // Echo names nothing.
  if (fallbackModel.value === null) return;
  let isNamed = false;
  const name = (state: string) => {
    if (isNamed || state !== "completed") return;
    isNamed = true;
    stop();
    void nameNewThread(engine, threadUuid);
  };
  const stop = onChange((change) => {
    if (change.type !== "turn.updated" || change.data.threadUuid !== threadUuid) return;
    name(change.data.state);
  });
  // It may have been answered before. If the engine is gone, a later answer names the chat.
  engine.turns.get(uuid).then(
    ({ state }) => name(state),
    () => {},
  );
}
