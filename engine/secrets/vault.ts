import { equalsConstantTime } from "../../shared/constant-time.ts";
import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import { EngineError } from "../errors.ts";

/** Encrypts credentials at rest. `context` is the id of the record and the name of the field. */
export interface Vault {
  /** @throws EngineError `credential_store` when the data key is unavailable. */
  seal(secret: string, context: string): Promise<string>;
  /** @throws EngineError `credential_store` if the key is missing or wrong, or the envelope has another context. */
  open(envelope: string, context: string): Promise<string>;
  /** Whether the store works now. It creates no key. @throws EngineError `credential_store` */
  check(): Promise<void>;
}

/** Gives the 32-byte data key. It throws if the key is unreadable, or missing although data was sealed with it. */
export interface DataKeyStore {
  /** The key, which is created if there is none. */
  load(): Promise<Uint8Array>;
  /** The key, or undefined if there is none yet; where left out, as `load`. */
  find?(): Promise<Uint8Array | undefined>;
}

/** A vault that asks for its data key at each use, so that a lost or changed key is noticed at once. */
export function createVault(keys: DataKeyStore): Vault {
  let last: { key: Uint8Array; box: SealedBox } | undefined;
  const box = async () => {
    const key = await keys.load();
    if (!last || !equalsConstantTime(key, last.key)) {
      last = { key, box: await createSealedBox([key]) };
    }
    return last.box;
  };
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw new EngineError(
        "credential_store",
        "The key of the stored credentials cannot be used. Restore the keychain entry or the credentials.key file that the engine used before, then try again.",
        { cause: error },
      );
    }
  };
  return {
    seal: (secret, context) => guarded(async () => (await box()).seal(secret, context)),
    open: (envelope, context) => guarded(async () => (await box()).open(envelope, context)),
    check: () =>
      guarded(async () => {
        await (keys.find ? keys.find() : keys.load());
      }),
  };
}
