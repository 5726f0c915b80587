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
 * Gives the data key; creates it where nothing was sealed yet. `auto` uses an existing key file, else the keychain where it
 * works, else creates a key file.
 */
export function createDataKeyStore(options: DataKeyOptions): DataKeyStore {
  // A keychain may prompt at each read, so its key is cached. A key file is read again, to notice its loss.
  let kept: Uint8Array | undefined;
  const keychain: Keychain = {
    async read() {
      kept ??= await options.keychain.read();
      return kept;
    },
    async write(key) {
      await options.keychain.write(key);
      kept = key;
    },
  };
  const get = { auto: getFromEither, keychain: getFromKeychain, file: getFromFile }[options.store];
  let loading: Promise<Uint8Array> | undefined;
  return {
    // One at a time: two first uses must not create two keys.
    load() {
      loading ??= get({ ...options, keychain }).finally(() => {
        loading = undefined;
      });
      return loading;
    },
  };
}

async function getFromFile(options: DataKeyOptions): Promise<Uint8Array> {
  const found = await readKeyFile(options.keyFile);
  if (found) return found;
  const key = await createKey(options);
  await writeKeyFile(options.keyFile, key);
  return key;
}

async function getFromKeychain(options: DataKeyOptions): Promise<Uint8Array> {
  const found = await options.keychain.read();
  if (found) return found;
  const key = await createKey(options);
  await options.keychain.write(key);
  return key;
}

async function getFromEither(options: DataKeyOptions): Promise<Uint8Array> {
  const found = await readKeyFile(options.keyFile);
  if (found) return found;
  try {
    return await getFromKeychain(options);
  } catch {
    // No keychain, or a locked one: use a key file, unless that would replace the key in the keychain.
    return getFromFile(options);
  }
}

async function createKey({ hasSealedData }: DataKeyOptions): Promise<Uint8Array> {
  if (await hasSealedData()) throw new Error("The key that sealed the stored secrets is missing.");
  return randomBytes(KEY_BYTES);
}
