import { useState } from "preact/hooks";

/** Work that a press begins. */
export interface Action {
  isBusy: boolean;
  /** Why it failed; until it is run again. */
  error: Error | undefined;
  run(): void;
}

/** Runs `work` at a press, once at a time. */
export function useAction(work: () => Promise<unknown>): Action {
  const [state, setState] = useState<{ isBusy: boolean; error?: Error }>({ isBusy: false });
  const run = () => {
    if (state.isBusy) return;
    setState({ isBusy: true });
    work().then(
      () => setState({ isBusy: false }),
      (error: Error) => setState({ isBusy: false, error }),
    );
  };
  return { isBusy: state.isBusy, error: state.error, run };
}
