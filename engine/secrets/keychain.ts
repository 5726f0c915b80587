import { KEYCHAIN_WAIT_MS } from "../limits.ts";

/** The system's keychain, as far as one key of 32 bytes needs it. */
export interface Keychain {
  /** @throws where the keychain is missing, locked or slow to answer. */
  read(): Promise<Uint8Array | undefined>;
  write(key: Uint8Array): Promise<void>;
}

const SERVICE = "roundhouse-engine";

/**
 * The keychain entry of one data directory. On Linux the Secret Service alone: the kernel's keyring, which the package
 * would fall back to without a word, forgets at the next boot.
 */
export function openKeychain(dataDirectory: string): Keychain {
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

// An unlock prompt that is not visible would block the request for ever; the signal does not end a call that has begun.
function bounded<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const signal = AbortSignal.timeout(KEYCHAIN_WAIT_MS);
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("The keychain did not answer.")), {
      once: true,
    });
  });
  return Promise.race([work(signal), timeout]);
}
