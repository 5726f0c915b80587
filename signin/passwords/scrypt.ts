import { scrypt } from "node:crypto";
import { SCRYPT_KEY_BYTES, SCRYPT_MEMORY_BYTES_MAX } from "../limits.ts";
import type { DeriveKey } from "./scrypt-hasher.ts";

/** scrypt in Node's thread pool. workerd has the same call under `nodejs_compat`, without a limit on its cost. */
export const deriveWithScrypt: DeriveKey = (password, salt, { log2Cost, blockSize, parallelism }) =>
  new Promise((resolve, reject) => {
    const options = {
      N: 2 ** log2Cost,
      r: blockSize,
      p: parallelism,
      maxmem: SCRYPT_MEMORY_BYTES_MAX,
    };
    scrypt(password, salt, SCRYPT_KEY_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(new Uint8Array(key));
    });
  });
