import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { applyMigrations, pendingMigrations } from "../../shared/migrate.ts";
import { makePrivateFile } from "../../shared/node/private-file.ts";
import { migrations } from "../db/migrations.generated.ts";
import { cleanUp } from "../operations/cleanup.ts";
import { copyDatabase } from "./admin-store.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";
import { showFacts } from "./results.ts";

/** `migrate`, `backup`, `cleanup`. */
export function addMaintenanceCommands(program: Command, context: CommandContext): void {
  onDatabase(program.command("migrate"))
    .description(
      "Update the database schema. A server on Node updates it at its start; stop it first. " +
        "For Workers, run this before the deployment, with DATABASE_URL or --d1.",
    )
    .option("--dry-run", "list the pending steps without applying them")
    .action((options: { dryRun?: boolean }) => runMigrate(context, options));
  program
    .command("backup")
    .description(
      "Copy the embedded database into a new file; the server may be running. " +
        "Keep TOKEN_ENCRYPTION_KEY elsewhere: without it the API keys and authenticator secrets in the copy cannot be read. To restore: " +
        "stop the server, remove signin.db-wal and signin.db-shm, and replace signin.db with the copy.",
    )
    .argument("<file>", "a new file")
    .action((file: string) => runBackup(context, file));
  onDatabase(program.command("cleanup"))
    .description(
      "Delete expired rows: flows, codes and sessions a day after their end, counters, and events of the audit " +
        "trail after 90 days. Safe while the server runs; for a daily timer.",
    )
    .action(() => runCleanup(context));
}

async function runMigrate(
  context: CommandContext,
  { dryRun: isDryRun = false }: { dryRun?: boolean },
): Promise<void> {
  await using target = await context.openTarget({ create: !isDryRun });
  const { db, place } = target;
  const pending = await pendingMigrations(db.$client, migrations);
  const out = context.out();
  if (isDryRun || pending.length === 0) {
    showFacts(out, {
      database: place,
      pending: pending.map(({ name }) => name).join(", ") || "none",
    });
    return;
  }
  if (!target.takeAlone()) {
    throw new CommandFailed(
      `A sign-in server has ${place} open. Stop it; its next start migrates.`,
    );
  }
  const applied = await applyMigrations(db.$client, pending);
  showFacts(out, { database: place, applied: applied.join(", ") });
}

async function runBackup(context: CommandContext, file: string): Promise<void> {
  await using target = await context.openTarget();
  const { db, filePath, place } = target;
  if (filePath === undefined) {
    throw new CommandFailed(`${place} is a server: use its own backups.`);
  }
  const path = await makePrivateFile(file, (part) => copyDatabase(db, part));
  await target.audit.record({ type: "admin.backup", outcome: "success" });
  showFacts(context.out(), { backup: path });
}

async function runCleanup(context: CommandContext): Promise<void> {
  await using target = await context.openMigrated();
  showFacts(context.out(), await cleanUp(target, context.signal));
}
