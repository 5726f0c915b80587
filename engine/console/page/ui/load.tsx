import { effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { EngineError } from "../../../client/client.ts";
import { onChange } from "../changes.ts";
import { isReachable, reconnectCount, session } from "../session.ts";
import { waitFor } from "../wait-for.ts";
import { Button } from "./action.tsx";

/** What is read from the engine. Its fields are signals; `value` stays while it is read again. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: Error | undefined;
  /** Reads it again; a read that still runs is cancelled. */
  reload(): Promise<void>;
}

/** Reads when it is started, after changes of the types that `concerns` names, and when the engine answers again. */
function createLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>, concerns?: RegExp) {
  const value = signal<Value | undefined>(undefined);
  const error = signal<Error | undefined>(undefined);
  let reading = new AbortController();
  const reload = async () => {
    reading.abort();
    reading = new AbortController();
    const until = reading.signal;
    try {
      // What is asked for several times at once is read once.
      await Promise.resolve();
      if (until.aborted) return;
      const read = await load(until);
      if (until.aborted) return;
      value.value = read;
      error.value = undefined;
    } catch (reason) {
      if (!until.aborted)
        error.value = reason instanceof Error ? reason : new Error(String(reason));
    }
  };
  const start = () => {
    const unsubscribe = onChange(({ type }) => {
      if (concerns && (type === "resync" || concerns.test(type))) void reload();
    });
    const stop = effect(() => {
      void reconnectCount.value;
      void reload();
    });
    return () => {
      unsubscribe();
      stop();
      reading.abort();
    };
  };
  return {
    get value() {
      return value.value;
    },
    get error() {
      return error.value;
    },
    reload,
    start,
  };
}

/** What several parts of the page show: read from the first session on. */
export function share<Value>(load: () => Promise<Value>, concerns: RegExp): Loaded<Value> {
  const shared = createLoaded(load, concerns);
  void waitFor(() => session.value.state === "open").then(shared.start);
  return shared;
}

/** What one part of the page shows: read while it is there, and anew whenever `key` changes, which names what is read. */
export function useLoad<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  concerns?: RegExp,
): Loaded<Value> {
  const newest = useRef(load);
  newest.current = load;
  const loaded = useMemo(() => createLoaded((until) => newest.current(until), concerns), [key]);
  useEffect(loaded.start, [loaded]);
  return loaded;
}

/** A place without content, which says what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Why something failed, in the engine's own words with the field and its rule, and a way to try again. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <p class="failure" role="alert">
      {error.message} {error instanceof EngineError && error.details}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </p>
  );
}

/** The share of a work that is done; without one it moves. */
export function Progress({ label, share }: { label: string; share?: number | undefined }) {
  return <progress aria-label={label} max={1} value={share} />;
}

/** What stands in the place of something until it is read: that it is, or why it cannot be. */
export function Loading({ of, label }: { of: Loaded<unknown>; label: string }) {
  // The banner says so, and all is read again by itself.
  if (of.error && !isReachable.value)
    return <p class="muted">This loads when the engine is back.</p>;
  if (of.error) return <Failure error={of.error} onRetry={of.reload} />;
  return of.value === undefined ? <Waiting label={label} /> : null;
}

/** What is done now, which ends by itself. */
export function Waiting({ label }: { label: string }) {
  return (
    <p class="muted small">
      {label} … <Progress label={label} />
    </p>
  );
}

const ABSENT = 404;
/** An id of another form: nothing has it. */
const REFUSED = 400;

/** Whether the engine has nothing under the id that was asked for. */
export function isAbsent(error: unknown): boolean {
  return error instanceof EngineError && (error.status === ABSENT || error.status === REFUSED);
}
