import type { EngineChange } from "../../client/client.ts";
import { hearsChanges } from "./connection.ts";
import { engine, session } from "./session.ts";
import { isShown } from "./shown.ts";
import { waitFor } from "./wait-for.ts";

const listeners = new Set<(change: EngineChange) => void>();

/**
 * Hears every change of the engine; after `{type: "resync"}` all must be read anew. One stream serves all pages, as a browser opens
 * six connections at most. Returns what ends the subscription.
 */
export function onChange(listener: (change: EngineChange) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
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
  for (const listener of [...listeners]) listener(change);
}
