/** Ends a wait that only a fault makes this long. */
export const WATCHDOG_MS = 45_000;

const POLL_MS = 20;

type Missing = undefined | false;

/**
 * Asks again and again until the answer is neither undefined nor false. For what no event tells, such as the state of another
 * process.
 * @throws where the watchdog comes first.
 */
export async function until<Value>(
  what: string,
  ask: () => Value | Missing | Promise<Value | Missing>,
): Promise<Value> {
  const watchdog = AbortSignal.timeout(WATCHDOG_MS);
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (watchdog.aborted) throw new Error(`${what} did not come within ${WATCHDOG_MS / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
