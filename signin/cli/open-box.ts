import type { Environment } from "../../shared/env.ts";
import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import { parseEncryptionKeys } from "../config-secrets.ts";
import { findDataDirectory } from "../node/data-directory.ts";
import { withDevelopmentSecrets } from "../node/development-secrets.ts";
import { CommandFailed } from "./output.ts";

/**
 * The box of `TOKEN_ENCRYPTION_KEY`; for the embedded database in development, of the key that the server generated.
 * @throws CommandFailed where there is no key, or it is not one.
 */
export async function openBox(env: Environment): Promise<SealedBox> {
  const isServer = Boolean(env.DATABASE_URL?.trim());
  const completed = isServer
    ? env
    : (await withDevelopmentSecrets(env, findDataDirectory(env))).env;
  const problems: string[] = [];
  const keys = parseEncryptionKeys(completed, false, (name, message) => {
    problems.push(`${name}: ${message}`);
  });
  if (problems.length > 0) throw new CommandFailed(problems.join("\n"));
  return createSealedBox(keys);
}
