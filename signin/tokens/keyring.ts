import { type Bytes, sha256, toHex, utf8 } from "../../shared/bytes.ts";
import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import type { SigninConfig } from "../config/config.ts";

/** What a derived key is for: each purpose has its own (HKDF), so that no output of one can serve as another. */
export type MacPurpose = "refresh-token" | "email-code" | "log-pseudonym";

/** HMAC-SHA256 with a key that it holds. */
export type Mac = (data: Bytes) => Uint8Array | Promise<Uint8Array>;

/** HMAC-SHA256 done at once, where the runtime has it: each job that WebCrypto gives to other threads costs more than the hash. */
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

/** Keys are imported at first use: a Worker may not do it while it starts. Values are kept, never promises. */
export function createKeyring(
  config: Pick<SigninConfig, "signingKeys" | "encryptionKeys">,
  hmac?: HmacSha256,
): Keyring {
  let signing: readonly SigningKey[] | undefined;
  let box: SealedBox | undefined;
  const derived = new Map<MacPurpose, readonly Mac[]>();

  async function derive(purpose: MacPurpose) {
    const known = derived.get(purpose);
    if (known) return known;
    const made = await Promise.all(
      config.signingKeys.map(async (master) => {
        const bytes = await deriveBytes(master, purpose);
        const key = await importHmacKey(bytes);
        return toMac(bytes, key, hmac);
      }),
    );
    derived.set(purpose, made);
    return made;
  }

  return {
    async signingKeys() {
      signing ??= await Promise.all(
        config.signingKeys.map(async (bytes) => {
          const key = await importHmacKey(bytes);
          const id = toHex(await sha256(bytes)).slice(0, 8);
          return { id, key, sign: toMac(bytes, key, hmac) };
        }),
      );
      return signing;
    },
    macs: derive,
    async box() {
      box ??= await createSealedBox(config.encryptionKeys);
      return box;
    },
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
