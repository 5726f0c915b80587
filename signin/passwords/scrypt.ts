import { SCRYPT_KEY_BYTES, SCRYPT_MEMORY_BYTES_MAX } from "../limits.ts";
import type { DeriveKey } from "./scrypt-hasher.ts";

/**
 * scrypt in Node's thread pool. workerd has the same call under `nodejs_compat`, without a limit on its cost. The module is loaded
 * with the first password: at the start it cost a Worker 5 of 88 ms of processor time.
 */
export const deriveWithScrypt: DeriveKey = async (password, salt, given) => {
  const { log2Cost, blockSize, parallelism } = given;
  const { scrypt } = await import("node:crypto");
  return new Promise((resolve, reject) => {
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
};
