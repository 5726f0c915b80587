import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { createSealedBox, type SealedBox } from "../../shared/sealed-box.ts";
import { parseEncryptionKeys } from "../config/config.ts";
import { resolveDataDirectory } from "../node/data-directory.ts";
import { withStoredSecrets } from "../node/development-secrets.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";
import { checkKeys, reencryptKeys } from "./keys.ts";
import { showFacts } from "./results.ts";

/** `keys check`, `keys re-encrypt`. */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const keys = program
    .command("keys")
    .description(
      "The encryption of stored API keys and of the secrets of authenticator apps (TOKEN_ENCRYPTION_KEY).",
    );
  onDatabase(keys.command("check"))
    .description(
      "Decrypt every stored secret and count them by encryption key. Fails if one cannot be decrypted.",
    )
    .action(() => runCheck(context));
  onDatabase(keys.command("re-encrypt"))
    .description(
      "Seal every stored secret with the first key of TOKEN_ENCRYPTION_KEY. To rotate: set `new,old`, restart, " +
        "run this, run `keys check`, then leave `old` out. Safe while the server runs. You can interrupt it and run it again.",
    )
    .action(() => runReencrypt(context));
}

async function runCheck(context: CommandContext): Promise<void> {
  await using target = await context.openMigrated();
  const box = await createConfiguredBox(context);
  const { keys, ...counts } = await checkKeys(target, box);
  const out = context.out();
  showFacts(out, { ...counts, current_key: box.keyId });
  if (keys.length > 0) out.rows(keys.map(({ keyId, rows }) => ({ key: keyId, rows })));
  if (counts.broken > 0) {
    throw new CommandFailed(
      `${counts.broken} stored secrets cannot be decrypted: a key is missing from TOKEN_ENCRYPTION_KEY, or rows were changed.`,
    );
  }
}

async function runReencrypt(context: CommandContext): Promise<void> {
  await using target = await context.openMigrated();
  const out = context.out();
  const box = await createConfiguredBox(context);
  const report = await reencryptKeys(target, box, ({ reencrypted }) => {
    context.signal.throwIfAborted();
    out.line(`${reencrypted} so far`);
  });
  await target.audit.record({
    type: "admin.keys_reencrypted",
    outcome: report.broken > 0 ? "failure" : "success",
    detail: { ...report },
  });
  showFacts(out, { ...report });
  if (report.broken > 0) {
    throw new CommandFailed(
      `${report.broken} stored secrets cannot be decrypted, and are unchanged.`,
    );
  }
}

/**
 * The box of `TOKEN_ENCRYPTION_KEY`; for the embedded database in development, of the key that the server generated.
 * @throws BadConfiguration if there is no key, or it is not one.
 */
async function createConfiguredBox({
  env,
  hasD1,
}: Pick<CommandContext, "env" | "hasD1">): Promise<SealedBox> {
  const isEmbedded = !hasD1() && !env.DATABASE_URL?.trim();
  const lacksKey = !env.TOKEN_ENCRYPTION_KEY?.trim();
  const completed =
    isEmbedded && lacksKey ? await withStoredSecrets(env, resolveDataDirectory(env)) : env;
  return createSealedBox(parseEncryptionKeys(completed));
}
