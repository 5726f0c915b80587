const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;

/** Resolves with the first signal that stops this process. Later ones have no effect. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve(signal));
  });
}

/**
 * Until it is disposed, the second signal ends the process at once: a start may hang. A running program has its own timeout
 * for a stop.
 */
export function endAtSecondSignal(): Disposable {
  let count = 0;
  const onSignal = () => {
    count += 1;
    if (count > 1) process.exit(1);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return {
    [Symbol.dispose]() {
      for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    },
  };
}
