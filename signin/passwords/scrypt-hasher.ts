import { type Bytes, fromBase64Url, toBase64Url, utf8 } from "../../shared/bytes.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import { randomBytes } from "../../shared/random.ts";
import {
  SCRYPT_LOG_N,
  SCRYPT_MEMORY_BYTES_MAX,
  SCRYPT_P,
  SCRYPT_PARALLELISM_MAX,
  SCRYPT_R,
  SCRYPT_SALT_BYTES,
} from "../limits.ts";
import type { HashQueue } from "./hash-queue.ts";
import type { HashClient, PasswordHasher } from "./hasher.ts";

/** The cost of one hash. N is `2 ** log2Cost`. */
interface ScryptParameters {
  log2Cost: number;
  blockSize: number;
  parallelism: number;
}

/** scrypt with a key of 32 bytes. The runtime passes its own. */
export type DeriveKey = (
  password: Bytes,
  salt: Bytes,
  parameters: ScryptParameters,
) => Promise<Uint8Array>;

/** The cost of new hashes, and the queue that they wait in. */
interface HasherOptions {
  derive: DeriveKey;
  queue: HashQueue;
  /** The cost of new hashes. Others are verified, too, and reported as outdated. */
  parameters?: ScryptParameters;
}

/** One of OWASP's equivalent settings: 16 MiB, about 200 ms. */
const SCRYPT_PARAMETERS: ScryptParameters = {
  log2Cost: SCRYPT_LOG_N,
  blockSize: SCRYPT_R,
  parallelism: SCRYPT_P,
};

const NO_CLIENT: HashClient = { network: "" };

/** `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`. */
export function createScryptHasher({
  derive,
  queue,
  parameters = SCRYPT_PARAMETERS,
}: HasherOptions): PasswordHasher {
  return {
    async hash(password, client = NO_CLIENT) {
      const salt = randomBytes(SCRYPT_SALT_BYTES);
      const key = await queue.run(client, () => derive(utf8(password), salt, parameters));
      return format(parameters, salt, key);
    },
    async verify(password, stored, client = NO_CLIENT) {
      const parsed = parse(stored);
      // A malformed row takes the same time, and no password matches.
      const { salt, key, ...cost } = parsed ?? {
        salt: new Uint8Array(SCRYPT_SALT_BYTES),
        ...parameters,
      };
      const derived = await queue.run(client, () => derive(utf8(password), salt, cost));
      const matches = key !== undefined && equalsConstantTime(derived, key);
      return { matches, outdated: matches && !sameCost(cost, parameters) };
    },
  };
}

function format(cost: ScryptParameters, salt: Uint8Array, key: Uint8Array): string {
  const { log2Cost, blockSize, parallelism } = cost;
  const named = `ln=${log2Cost},r=${blockSize},p=${parallelism}`;
  return `$scrypt$${named}$${toBase64Url(salt)}$${toBase64Url(key)}`;
}

type ParsedHash = ScryptParameters & { salt: Bytes; key?: Bytes };

const PHC =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]{1,88})\$([A-Za-z0-9_-]{43})$/;

function parse(stored: string): ParsedHash | undefined {
  const [, ln, r, p, saltText = "", keyText = ""] = PHC.exec(stored) ?? [];
  const log2Cost = Number(ln);
  const blockSize = Number(r);
  const parallelism = Number(p);
  const salt = fromBase64Url(saltText);
  const key = fromBase64Url(keyText);
  if (!salt || !key || !isBounded({ log2Cost, blockSize, parallelism })) return undefined;
  return { log2Cost, blockSize, parallelism, salt, key };
}

// Bounds the cost of a stored hash, so that a manipulated row cannot block the server. scrypt needs 128 N r bytes and more.
function isBounded({ log2Cost, blockSize, parallelism }: ScryptParameters): boolean {
  const memoryBytes = 128 * 2 ** log2Cost * blockSize;
  return (
    Math.min(log2Cost, blockSize, parallelism) >= 1 &&
    memoryBytes <= SCRYPT_MEMORY_BYTES_MAX / 2 &&
    parallelism <= SCRYPT_PARALLELISM_MAX
  );
}

function sameCost(left: ScryptParameters, right: ScryptParameters): boolean {
  return (
    left.log2Cost === right.log2Cost &&
    left.blockSize === right.blockSize &&
    left.parallelism === right.parallelism
  );
}
