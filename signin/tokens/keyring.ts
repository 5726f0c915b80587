import type { Bytes } from "../../shared/bytes.ts";
import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import type { SigninConfig } from "../config/config.ts";
import { deriveBytes, type HmacSha256, importHmacKey, type Mac, toMac } from "./mac.ts";
import { createSigningKey, type SigningKey } from "./signing-key.ts";

/** The purpose of a derived key (HKDF). The MAC of one purpose cannot serve for another. */
type MacPurpose = "refresh-token" | "email-code" | "log-pseudonym" | "passkey-challenge";

/** The server's keys, imported once. Lists begin with the key that signs now; all of them verify. */
export interface Keyring {
  /** Of access tokens. */
  signingKeys(): Promise<readonly SigningKey[]>;
  macs(purpose: MacPurpose): Promise<readonly Mac[]>;
  /** Seals stored credentials with `TOKEN_ENCRYPTION_KEY`. */
  box(): Promise<SealedBox>;
}

/** Keys are imported at first use: a Worker may not import them while it starts. */
export function createKeyring(
  config: Pick<SigninConfig, "signingKeys" | "signingAlgorithm" | "encryptionKeys">,
  hmac?: HmacSha256,
): Keyring {
  const all = <Made>(make: (master: Bytes) => Promise<Made>) =>
    keep(() => Promise.all(config.signingKeys.map(make)));
  const derive = (purpose: MacPurpose) =>
    all(async (master) => {
      const bytes = await deriveBytes(master, `signin|${purpose}`);
      return toMac(bytes, await importHmacKey(bytes), hmac);
    });
  const macs: Record<MacPurpose, () => Promise<readonly Mac[]>> = {
    "refresh-token": derive("refresh-token"),
    "email-code": derive("email-code"),
    "log-pseudonym": derive("log-pseudonym"),
    "passkey-challenge": derive("passkey-challenge"),
  };
  return {
    signingKeys: all((master) => createSigningKey(master, config.signingAlgorithm, hmac)),
    macs: (purpose) => macs[purpose](),
    box: keep(() => createSealedBox(config.encryptionKeys)),
  };
}

/** Makes a value at first use. The value is kept, never its promise: a Worker may not await that of another request. */
function keep<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: Value | undefined;
  return async () => {
    kept ??= await make();
    return kept;
  };
}
