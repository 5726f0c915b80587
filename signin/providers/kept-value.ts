import type { Clock } from "../../shared/clock.ts";
import { unixNow } from "../db/time.ts";
import { failure, SigninError } from "../errors.ts";
import {
  PROVIDER_FAILURE_SEC,
  PROVIDER_FETCH_LEASE_SEC,
  PROVIDER_FETCH_POLL_MS,
  PROVIDER_FETCH_POLLS_MAX,
} from "../limits.ts";

/** One document of a provider, fetched by one request at a time and shared by all. */
export interface KeptValue<Value> {
  /**
   * The kept document, or a new one where it is too old or `suffices` says no. A document that does not suffice is fetched
   * again at most every `refetchSec`; until then it is the answer.
   * @throws SigninError what the fetch failed with, for PROVIDER_FAILURE_SEC without asking again
   */
  get(suffices?: (value: Value) => boolean): Promise<Value>;
}

interface KeptValueOptions<Value> {
  clock: Clock;
  lifetimeSec: number;
  refetchSec: number;
  load: () => Promise<Value>;
}

/**
 * Requests share values, never promises: workerd lets no request wait for what another one began. So a request that
 * fetches leaves a mark with the time, and the others look again and again, each with a timer of its own. A request that
 * vanished (workerd ends those of clients that left) leaves a mark that runs out.
 */
export function createKeptValue<Value>(options: KeptValueOptions<Value>): KeptValue<Value> {
  const { clock, lifetimeSec, refetchSec, load } = options;
  let kept: { value: Value; fetchedAt: number } | undefined;
  let failed: { error: SigninError; at: number } | undefined;
  let fetching: { since: number } | undefined;
  let refetchedAt = Number.NEGATIVE_INFINITY;

  async function fetchValue(): Promise<Value> {
    const own = { since: unixNow(clock) };
    fetching = own;
    try {
      const value = await load();
      // A fetch that took longer than its mark is not the newest any more.
      if (fetching === own) {
        kept = { value, fetchedAt: own.since };
        failed = undefined;
      }
      return value;
    } catch (error) {
      if (fetching === own && error instanceof SigninError) failed = { error, at: unixNow(clock) };
      throw error;
    } finally {
      if (fetching === own) fetching = undefined;
    }
  }

  return {
    async get(suffices = () => true) {
      for (let polls = 0; polls <= PROVIDER_FETCH_POLLS_MAX; polls += 1) {
        const now = unixNow(clock);
        const isBusy = fetching !== undefined && now - fetching.since < PROVIDER_FETCH_LEASE_SEC;
        const fresh = kept && now - kept.fetchedAt < lifetimeSec ? kept : undefined;
        if (fresh && suffices(fresh.value)) return fresh.value;
        if (failed && now - failed.at < PROVIDER_FAILURE_SEC) throw failed.error;
        if (!isBusy) {
          if (fresh && now - refetchedAt < refetchSec) return fresh.value;
          if (fresh) refetchedAt = now;
          return fetchValue();
        }
        await new Promise<void>((resolve) => setTimeout(resolve, PROVIDER_FETCH_POLL_MS));
      }
      throw failure(
        "provider_unavailable",
        "another request did not get the provider's document in time",
      );
    },
  };
}
