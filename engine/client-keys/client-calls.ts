import { BoundedMap } from "../../shared/bounded-map.ts";
import { UserFacingError } from "../../shared/failure.ts";
import { CLIENT_CALLS_MAX, REVOKED_KEYS_MAX } from "./limits.ts";

/** Why a call ends that its key no longer covers. */
export class KeyRevoked extends UserFacingError {
  override name = "KeyRevoked";

  constructor() {
    super("The API key was revoked.");
  }
}

/** A call of a client that runs; ends when it is disposed of. */
export interface ClientCall extends Disposable {
  /** Aborted when the key is deleted. */
  signal: AbortSignal;
}

/** The calls of client keys that run in this process: a key that is deleted ends them. */
export class ClientCalls {
  readonly #running = new Map<string, Set<AbortController>>();
  readonly #revoked = new BoundedMap<string, true>(REVOKED_KEYS_MAX);

  /** Undefined if too many calls of the key run. */
  begin(keyUuid: string): ClientCall | undefined {
    const calls = this.#running.get(keyUuid) ?? new Set();
    if (calls.size >= CLIENT_CALLS_MAX) return undefined;
    const call = new AbortController();
    if (this.#revoked.get(keyUuid)) call.abort(new KeyRevoked());
    this.#running.set(keyUuid, calls.add(call));
    return {
      signal: call.signal,
      [Symbol.dispose]: () => {
        calls.delete(call);
        if (calls.size === 0) this.#running.delete(keyUuid);
      },
    };
  }

  /** Ends the calls of a key that was deleted, and those that were admitted in the same moment. */
  revoke(keyUuid: string): void {
    this.#revoked.set(keyUuid, true);
    for (const call of this.#running.get(keyUuid) ?? []) call.abort(new KeyRevoked());
  }
}
