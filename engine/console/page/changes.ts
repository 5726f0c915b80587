import { signal } from "@preact/signals";
import type { EngineChange } from "../../client/client.ts";
import { engine, hearsChanges, session } from "./session.ts";
import { isShown } from "./shown.ts";
import { waitFor } from "./wait-for.ts";

const listeners = signal<readonly ((change: EngineChange) => void)[]>([]);

/**
 * Hears every change of the engine; after `{type: "resync"}` all must be read anew. One stream serves all pages, as a browser opens
 * six connections at most. Returns what ends the subscription.
 */
export function onChange(listener: (change: EngineChange) => void): () => void {
  listeners.value = [...listeners.peek(), listener];
  return () => {
    listeners.value = listeners.peek().filter((it) => it !== listener);
  };
}

/** Follows the changes from the first session on. The client connects again by itself, also after a restart of the engine. */
export async function startChanges(): Promise<void> {
  await waitFor(() => session.value.state === "open");
  await waitFor(isShown);
  // Pages have read before the stream is open.
  void waitFor(() => hearsChanges.value).then(() => hear({ type: "resync" }));
  try {
    for await (const change of engine.changes()) hear(change);
  } catch {
    // The engine has too many readers. Pages still show what they read.
  }
}

function hear(change: EngineChange): void {
  for (const listener of listeners.peek()) listener(change);
}
