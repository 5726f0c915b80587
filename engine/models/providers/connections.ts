import { AsyncLocalStorage } from "node:async_hooks";
import { isDeepStrictEqual } from "node:util";
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { SdkModel } from "./sdk.ts";

type Fetch = typeof globalThis.fetch;

const stepFetch = new AsyncLocalStorage<Fetch>();

/** Runs one step of a kept model: all that it requests goes through this `fetch`. */
export function withinStep<Result>(fetch: Fetch, step: () => Result): Result {
  return stepFetch.run(fetch, step);
}

const fetchOfStep: Fetch = (input, init) => {
  const fetch = stepFetch.getStore();
  if (!fetch) throw new Error("A provider package sent a request outside of a step.");
  return fetch(input, init);
};

/** The model of a provider package, made with the first step. */
export class Connection {
  /** All that it was made of, decrypted. */
  readonly settings: unknown;
  readonly #open: (fetch: Fetch) => Promise<SdkModel>;
  #model: Promise<SdkModel> | undefined;

  constructor(settings: unknown, open: (fetch: Fetch) => Promise<SdkModel>) {
    this.settings = settings;
    this.#open = open;
  }

  async model(): Promise<SdkModel> {
    this.#model ??= this.#open(fetchOfStep);
    try {
      return await this.#model;
    } catch (error) {
      this.#model = undefined;
      throw error;
    }
  }
}

/**
 * Connections by configuration: a package makes 150 KiB of schemas for each model. They are held weakly, so that a turn
 * uses that of the turns around it, and no key is in memory for longer. One with other settings takes the place.
 */
export class Connections {
  readonly #kept: BoundedMap<string, WeakRef<Connection>>;

  constructor(max: number) {
    this.#kept = new BoundedMap(max);
  }

  get(id: string, settings: unknown, open: (fetch: Fetch) => Promise<SdkModel>): Connection {
    const known = this.#kept.get(id)?.deref();
    if (known && isDeepStrictEqual(known.settings, settings)) return known;
    const made = new Connection(settings, open);
    this.#kept.set(id, new WeakRef(made));
    return made;
  }
}
