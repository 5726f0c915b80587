import { type Bytes, utf8 } from "../../shared/bytes.ts";

const DERIVED_BITS = 256;

/** 32 bytes of their own for `info` (HKDF-SHA-256 with an empty salt): no output of one purpose can serve as another. */
export async function deriveBytes(bytes: Bytes, info: string): Promise<Bytes> {
  const master = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(params, master, DERIVED_BITS));
}
