import { useEffect, useState } from "preact/hooks";
import { onChange } from "../changes.ts";
import { reconnectCount } from "../connection.ts";

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
