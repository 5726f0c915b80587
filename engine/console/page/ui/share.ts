import { effect, signal } from "@preact/signals";
import { onChange } from "../changes.ts";
import { reconnectCount } from "../connection.ts";
import { session } from "../session.ts";
import { waitFor } from "../wait-for.ts";
import type { Loaded } from "./load.tsx";

/** What several parts of the page show: read once, and again when a change of the engine concerns it. Its fields are signals. */
export interface Shared<Value> extends Loaded<Value> {
  reload(): Promise<void>;
}

/** Reads from the first session on, after changes of these types, and when the engine answers again. */
export function share<Value>(load: () => Promise<Value>, concerns: RegExp): Shared<Value> {
  const value = signal<Value | undefined>(undefined);
  const error = signal<Error | undefined>(undefined);
  let reads = 0;
  const reload = async () => {
    reads += 1;
    const own = reads;
    try {
      const loaded = await load();
      if (own !== reads) return;
      value.value = loaded;
      error.value = undefined;
    } catch (reason) {
      if (own === reads) error.value = reason instanceof Error ? reason : new Error(String(reason));
    }
  };
  void waitFor(() => session.value.state === "open").then(() => {
    onChange(({ type }) => {
      if (type === "resync" || concerns.test(type)) void reload();
    });
    effect(() => {
      void reconnectCount.value;
      void reload();
    });
  });
  return {
    get value() {
      return value.value;
    },
    get error() {
      return error.value;
    },
    reload,
  };
}
