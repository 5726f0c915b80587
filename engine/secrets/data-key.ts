import { randomBytes } from "../../shared/random.ts";
import { readKeyFile, writeKeyFile } from "./key-file.ts";
import type { Keychain } from "./keychain.ts";
import type { DataKeyStore } from "./vault.ts";

interface DataKeyOptions {
  store: "auto" | "keychain" | "file";
  keyFile: string;
  keychain: Keychain;
  /** Whether sealed data is stored: then a missing key must be restored, never replaced. */
  hasSealedData(): Promise<boolean>;
}

const KEY_BYTES = 32;

interface KeyPlace {
  /** The key, or undefined if there is none yet. @throws if it is unreadable */
  find(): Promise<Uint8Array | undefined>;
  keep(key: Uint8Array): Promise<void>;
}

/**
 * Gives the data key; `load` creates it if nothing was sealed yet. `auto` uses an existing key file, else the keychain where
 * it works, else creates a key file.
 */
export function createDataKeyStore(options: DataKeyOptions): Required<DataKeyStore> {
  const place = placeOf(options);
  const find = async () => {
    const found = await place.find();
    if (found || !(await options.hasSealedData())) return found;
    throw new Error("The key that sealed the stored secrets is missing.");
  };
  const findOrCreate = async () => {
    const found = await find();
    if (found) return found;
    const key = randomBytes(KEY_BYTES);
    await place.keep(key);
    return key;
  };
  let loading: Promise<Uint8Array> | undefined;
  return {
    find,
    // One at a time: two first uses must not create two keys.
    load() {
      loading ??= findOrCreate().finally(() => {
        loading = undefined;
      });
      return loading;
    },
  };
}

function placeOf({ store, keyFile, keychain }: DataKeyOptions): KeyPlace {
  const file: KeyPlace = {
    find: () => readKeyFile(keyFile),
    keep: (key) => writeKeyFile(keyFile, key),
  };
  if (store === "file") return file;
  const kept = keptInKeychain(keychain);
  return store === "keychain" ? kept : fileOrKeychain(file, kept);
}

/** A keychain may prompt at each read, so its key is cached. A key file is read again, to notice its loss. */
function keptInKeychain(keychain: Keychain): KeyPlace {
  let cached: Uint8Array | undefined;
  return {
    async find() {
      cached ??= await keychain.read();
      return cached;
    },
    async keep(key) {
      await keychain.write(key);
      cached = key;
    },
  };
}

function fileOrKeychain(file: KeyPlace, keychain: KeyPlace): KeyPlace {
  let isUsable = true;
  return {
    async find() {
      const found = await file.find();
      if (found) return found;
      try {
        const key = await keychain.find();
        isUsable = true;
        return key;
      } catch {
        // No keychain, or a locked one.
        isUsable = false;
        return undefined;
      }
    },
    async keep(key) {
      if (!isUsable) return file.keep(key);
      return keychain.keep(key).catch(() => file.keep(key));
    },
  };
}
