import { type Bytes, sha256, toHex, utf8 } from "../../shared/bytes.ts";
import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import type { SigninConfig } from "../config/config.ts";

/** The purpose of a derived key (HKDF). The MAC of one purpose cannot serve for another. */
export type MacPurpose = "refresh-token" | "email-code" | "log-pseudonym";

/** HMAC-SHA256 with a key that it holds. */
export type Mac = (data: Bytes) => Uint8Array | Promise<Uint8Array>;

/** Synchronous HMAC-SHA256, where the runtime has it: WebCrypto's job in another thread costs more than the hash. */
export type HmacSha256 = (key: Bytes, data: Bytes) => Uint8Array;

/** A key of `JWT_SECRET_KEY` with the id that its tokens carry. */
export interface SigningKey {
  id: string;
  key: CryptoKey;
  sign: Mac;
}

/** The server's keys, imported once. Lists begin with the key that signs now; all of them verify. */
export interface Keyring {
  signingKeys(): Promise<readonly SigningKey[]>;
  macs(purpose: MacPurpose): Promise<readonly Mac[]>;
  /** Seals stored credentials with `TOKEN_ENCRYPTION_KEY`. */
  box(): Promise<SealedBox>;
}

const HMAC = { name: "HMAC", hash: "SHA-256" };
const DERIVED_KEY_BITS = 256;

/** Keys are imported at first use: a Worker may not import them while it starts. */
export function createKeyring(
  config: Pick<SigninConfig, "signingKeys" | "encryptionKeys">,
  hmac?: HmacSha256,
): Keyring {
  const all = <Made>(make: (master: Bytes) => Promise<Made>) =>
    keep(() => Promise.all(config.signingKeys.map(make)));
  const derive = (purpose: MacPurpose) =>
    all(async (master) => {
      const bytes = await deriveBytes(master, purpose);
      return toMac(bytes, await importHmacKey(bytes), hmac);
    });
  const macs: Record<MacPurpose, () => Promise<readonly Mac[]>> = {
    "refresh-token": derive("refresh-token"),
    "email-code": derive("email-code"),
    "log-pseudonym": derive("log-pseudonym"),
  };
  return {
    signingKeys: all(async (bytes) => {
      const key = await importHmacKey(bytes);
      const id = toHex(await sha256(bytes)).slice(0, 8);
      return { id, key, sign: toMac(bytes, key, hmac) };
    }),
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

function toMac(bytes: Bytes, key: CryptoKey, hmac: HmacSha256 | undefined): Mac {
  if (hmac) return (data) => hmac(bytes, data);
  return async (data) => new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}

function importHmacKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign", "verify"]);
}

async function deriveBytes(bytes: Bytes, purpose: MacPurpose): Promise<Bytes> {
  const master = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]);
  const info = utf8(`signin|${purpose}`);
  const params = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(params, master, DERIVED_KEY_BITS));
}
