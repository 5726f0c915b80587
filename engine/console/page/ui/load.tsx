import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { EngineError } from "../../../client/client.ts";
import { onChange } from "../changes.ts";
import { isReachable, reconnectCount } from "../connection.ts";
import { Button } from "./action.tsx";

/** What a page loads: `value` stays while it is loaded again. */
export interface Loaded<Value> {
  value: Value | undefined;
  error: Error | undefined;
  /** Loads it again. */
  reload(): void;
}

/**
 * Loads when the page appears, whenever `key` changes, when the engine answers again, and after changes of the types that
 * `concerns` names; a load whose page has gone is cancelled.
 */
export function useLoad<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  concerns?: RegExp,
): Loaded<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error?: Error }>({ key });
  const [times, setTimes] = useState(0);
  const reload = () => setTimes((count) => count + 1);
  // `load` is a new function at every render; `key` names what it loads.
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving.signal).then(
      (value) => !leaving.signal.aborted && setState({ key, value }),
      (error: Error) =>
        !leaving.signal.aborted &&
        setState((last) => (last.key === key ? { ...last, error } : { key, error })),
    );
    return () => leaving.abort();
  }, [key, times, reconnectCount.value]);
  useEffect(
    () =>
      concerns &&
      onChange(({ type }) => {
        if (type === "resync" || concerns.test(type)) reload();
      }),
    [concerns?.source],
  );
  const isOld = state.key !== key;
  return {
    value: isOld ? undefined : state.value,
    error: isOld ? undefined : state.error,
    reload,
  };
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
