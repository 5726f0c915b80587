import type { Environment } from "../../shared/env.ts";
import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import { parseEncryptionKeys } from "../config/config.ts";
import { resolveDataDirectory } from "../node/data-directory.ts";
import { withDevelopmentSecrets } from "../node/development-secrets.ts";

/**
 * The box of `TOKEN_ENCRYPTION_KEY`; for the embedded database in development, of the key that the server generated.
 * @throws BadConfiguration where there is no key, or it is not one.
 */
export async function createConfiguredBox(env: Environment): Promise<SealedBox> {
  const isServer = Boolean(env.DATABASE_URL?.trim());
  const completed = isServer
    ? env
    : (await withDevelopmentSecrets(env, resolveDataDirectory(env))).env;
  return createSealedBox(parseEncryptionKeys(completed));
}
