import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import { parseEncryptionKeys } from "../config/config.ts";
import { resolveDataDirectory } from "../node/data-directory.ts";
import { withStoredSecrets } from "../node/development-secrets.ts";
import type { CommandContext } from "./context.ts";

/**
 * The box of `TOKEN_ENCRYPTION_KEY`; for the embedded database in development, of the key that the server generated.
 * @throws BadConfiguration where there is no key, or it is not one.
 */
export async function createConfiguredBox({
  env,
  hasD1,
}: Pick<CommandContext, "env" | "hasD1">): Promise<SealedBox> {
  const isEmbedded = !hasD1() && !env.DATABASE_URL?.trim();
  const lacksKey = !env.TOKEN_ENCRYPTION_KEY?.trim();
  const completed =
    isEmbedded && lacksKey ? await withStoredSecrets(env, resolveDataDirectory(env)) : env;
  return createSealedBox(parseEncryptionKeys(completed));
}
