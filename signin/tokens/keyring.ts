import { type Bytes, sha256, toHex, utf8 } from "../../shared/bytes.ts";
import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import type { SigninConfig } from "../config.ts";

/** What a derived key is for: each purpose has its own (HKDF), so that no output of one can serve as another. */
export type MacPurpose = "refresh-token" | "email-code" | "log-pseudonym";

/** A key of `JWT_SECRET_KEY` with the id that its tokens carry. */
export interface SigningKey {
  id: string;
  key: CryptoKey;
}

/** The server's keys, imported once. Lists begin with the key that signs now; all of them verify. */
export interface Keyring {
  signingKeys(): Promise<readonly SigningKey[]>;
  macKeys(purpose: MacPurpose): Promise<readonly CryptoKey[]>;
  /** Seals stored credentials with `TOKEN_ENCRYPTION_KEY`. */
  box(): Promise<SealedBox>;
}

const HMAC = { name: "HMAC", hash: "SHA-256" };
const DERIVED_KEY_BITS = 256;

/** Keys are imported at first use: a Worker may not do it while it starts. Values are kept, never promises. */
export function createKeyring(
  config: Pick<SigninConfig, "signingKeys" | "encryptionKeys">,
): Keyring {
  let signing: readonly SigningKey[] | undefined;
  let box: SealedBox | undefined;
  const macs = new Map<MacPurpose, readonly CryptoKey[]>();

  return {
    async signingKeys() {
      signing ??= await Promise.all(config.signingKeys.map(importSigningKey));
      return signing;
    },
    async macKeys(purpose) {
      const known = macs.get(purpose);
      if (known) return known;
      const keys = await Promise.all(config.signingKeys.map((key) => deriveMacKey(key, purpose)));
      macs.set(purpose, keys);
      return keys;
    },
    async box() {
      box ??= await createSealedBox(config.encryptionKeys);
      return box;
    },
  };
}

async function importSigningKey(bytes: Bytes): Promise<SigningKey> {
  const key = await crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign", "verify"]);
  return { id: toHex(await sha256(bytes)).slice(0, 8), key };
}

async function deriveMacKey(bytes: Bytes, purpose: MacPurpose): Promise<CryptoKey> {
  const master = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]);
  const info = utf8(`signin|${purpose}`);
  const params = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const derived = await crypto.subtle.deriveBits(params, master, DERIVED_KEY_BITS);
  return crypto.subtle.importKey("raw", derived, HMAC, false, ["sign", "verify"]);
}
