import { useEffect } from "preact/hooks";
import type { EngineChange } from "../../../client/client.ts";
import { onChange } from "../changes.ts";

/** Calls `listen` with each change while the page is shown. After `resync` changes may be missing. */
export function useChanges(listen: (change: EngineChange) => void, key = ""): void {
  // `listen` is a new function at every render; `key` names what it depends on.
  useEffect(() => onChange(listen), [key]);
}
