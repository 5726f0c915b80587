import { onAbort } from "../../shared/on-abort.ts";
import { KEYCHAIN_WAIT_MS } from "../limits.ts";

/** One key of 32 bytes in the system's keychain. */
export interface Keychain {
  /** @throws if the keychain is missing, locked or slow to answer. */
  read(): Promise<Uint8Array | undefined>;
  write(key: Uint8Array): Promise<void>;
}

const SERVICE = "roundhouse-engine";

/**
 * The keychain entry of one data directory. On Linux the Secret Service alone: the package would silently fall back to the
 * kernel's keyring, which a reboot clears.
 */
export function createKeychain(dataDirectory: string): Keychain {
  const entry = async () => {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    return new AsyncEntry(SERVICE, dataDirectory, { linux: { store: "secret-service" } });
  };
  return {
    async read() {
      const bytes = await bounded(async (signal) => (await entry()).getSecret(signal));
      return bytes === null ? undefined : Uint8Array.from(bytes);
    },
    write: (key) => bounded(async (signal) => (await entry()).setSecret(key, signal)),
  };
}

// An invisible unlock prompt would block the request forever; the signal does not end a running call.
function bounded<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const signal = AbortSignal.timeout(KEYCHAIN_WAIT_MS);
  const timeout = new Promise<never>((_, reject) => {
    onAbort(signal, () => reject(new Error("The keychain did not respond.")));
  });
  return Promise.race([work(signal), timeout]);
}
