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
export interface CachedDocument<Value> {
  /**
   * The cached document, or a new one if it is too old or does not satisfy `suffices`. A document that does not satisfy
   * it is fetched again at most every `refetchSec`, and returned until then.
   * @throws SigninError of a failed fetch, cached for PROVIDER_FAILURE_SEC
   */
  get(suffices?: (value: Value) => boolean): Promise<Value>;
}

interface CachedDocumentOptions<Value> {
  clock: Clock;
  lifetimeSec: number;
  refetchSec: number;
  load: () => Promise<Value>;
}

/**
 * Requests share values, never promises: in workerd no request may await the I/O of another one. A request that fetches sets
 * a mark with the time, and the others poll, each with its own timer. The mark of a request that ended early (workerd
 * cancels those of disconnected clients) expires.
 */
export function createCachedDocument<Value>(
  options: CachedDocumentOptions<Value>,
): CachedDocument<Value> {
  const { clock, lifetimeSec, refetchSec, load } = options;
  let cached: { value: Value; fetchedAt: number } | undefined;
  let failed: { error: SigninError; at: number } | undefined;
  let fetching: { since: number } | undefined;
  let refetchedAt = Number.NEGATIVE_INFINITY;

  async function fetchValue(): Promise<Value> {
    const own = { since: unixNow(clock) };
    fetching = own;
    try {
      const value = await load();
      // A fetch that outlived its mark is not the newest.
      if (fetching === own) {
        cached = { value, fetchedAt: own.since };
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
        const fresh = cached && now - cached.fetchedAt < lifetimeSec ? cached : undefined;
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
