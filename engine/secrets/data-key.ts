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

/**
 * Gives the data key; `load` creates it if nothing was sealed yet. `auto` uses an existing key file, else the keychain where
 * it works, else creates a key file.
 */
export function createDataKeyStore(options: DataKeyOptions): Required<DataKeyStore> {
  const { store, keyFile, keychain, hasSealedData } = options;
  // A keychain may prompt at each read, so its key is cached. A key file is read again, to notice its loss.
  let cached: Uint8Array | undefined;
  let isKeychainUsable = store !== "file";
  let loading: Promise<Uint8Array> | undefined;

  const read = async () => {
    const inFile = store === "keychain" ? undefined : await readKeyFile(keyFile);
    if (inFile || store === "file") return inFile;
    try {
      cached ??= await keychain.read();
      isKeychainUsable = true;
      return cached;
    } catch (error) {
      if (store === "keychain") throw error;
      // No keychain, or a locked one.
      isKeychainUsable = false;
      return undefined;
    }
  };
  const write = async (key: Uint8Array) => {
    if (!isKeychainUsable) return writeKeyFile(keyFile, key);
    try {
      await keychain.write(key);
      cached = key;
    } catch (error) {
      if (store === "keychain") throw error;
      await writeKeyFile(keyFile, key);
    }
  };
  const find = async () => {
    const found = await read();
    if (found || !(await hasSealedData())) return found;
    throw new Error("The key that sealed the stored secrets is missing.");
  };
  const findOrCreate = async () => {
    const found = await find();
    if (found) return found;
    const key = randomBytes(KEY_BYTES);
    await write(key);
    return key;
  };
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
