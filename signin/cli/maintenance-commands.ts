import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { applyMigrations, type MigratedClient, pendingMigrations } from "../../shared/migrate.ts";
import { migrations } from "../db/migrations.generated.ts";
import { cleanUp } from "../operations/cleanup.ts";
import { backUp } from "./backup.ts";
import type { CommandContext } from "./context.ts";
import { createD1CommandClient } from "./d1-command-client.ts";
import { requireMigrated } from "./target.ts";

/** `migrate`, `backup`, `cleanup`. */
export function addMaintenanceCommands(program: Command, context: CommandContext): void {
  program
    .command("migrate")
    .description(
      "Bring the database up to date. A server on Node does it by itself when it starts; stop it first. " +
        "For Workers: run it before the deployment, with DATABASE_URL, or with --d1.",
    )
    .option("--dry-run", "list the pending steps, and apply none")
    .option("--d1 <name>", "a D1 database of the configuration of wrangler, by its name or binding")
    .option("--local", "with --d1: the database of `wrangler dev` on this machine (the default)")
    .option("--remote", "with --d1: the database at Cloudflare")
    .option("--config <file>", "with --d1: the configuration; else that of the current folder")
    .action((options: MigrateOptions) => runMigrate(context, options));
  program
    .command("backup")
    .description(
      "Copy the embedded database into a new file, also while the server runs. " +
        "Keep TOKEN_ENCRYPTION_KEY elsewhere: without it the stored API keys in the copy cannot be read. To restore: " +
        "stop the server, remove signin.db-wal and signin.db-shm, and put the copy in the place of signin.db.",
    )
    .argument("<file>", "a new file")
    .action((file: string) => runBackup(context, file));
  program
    .command("cleanup")
    .description(
      "Delete expired rows: flows, codes and sessions a day after their end, counters, and events of the audit " +
        "trail after 90 days. Safe while the server runs; for a daily timer.",
    )
    .action(() => runCleanup(context));
}

interface MigrateOptions {
  dryRun?: boolean;
  d1?: string;
  local?: boolean;
  remote?: boolean;
  config?: string;
}

async function runMigrate(context: CommandContext, options: MigrateOptions): Promise<void> {
  const isDryRun = options.dryRun === true;
  if (options.d1 !== undefined) {
    const { client, place } = openD1(context, { ...options, d1: options.d1 });
    return migrateClient(context, { client, place, isDryRun });
  }
  if (options.local || options.remote || options.config !== undefined) {
    throw new CommandFailed("--local, --remote and --config need --d1 NAME.");
  }
  await using target = await context.openTarget({ create: !isDryRun });
  const { db, place } = target;
  await migrateClient(context, { client: db.$client, place, isDryRun }, () => {
    if (target.takeAlone()) return;
    throw new CommandFailed(
      `A sign-in server has ${place} open. Stop it; it migrates when it starts.`,
    );
  });
}

function openD1({ wrangler }: CommandContext, options: MigrateOptions & { d1: string }) {
  const { d1: name, config, local, remote } = options;
  if (local && remote) throw new CommandFailed("--local and --remote exclude each other.");
  const isRemote = remote === true;
  const client = createD1CommandClient(wrangler, { name, isRemote, config });
  return { client, place: `${name} (D1, ${isRemote ? "remote" : "local"})` };
}

async function migrateClient(
  context: CommandContext,
  { client, place, isDryRun }: { client: MigratedClient; place: string; isDryRun: boolean },
  requireAlone: () => void = () => {},
): Promise<void> {
  const pending = await pendingMigrations(client, migrations);
  const out = context.out();
  if (isDryRun || pending.length === 0) {
    out.facts({ database: place, pending: pending.map(({ name }) => name).join(", ") || "none" });
    return;
  }
  requireAlone();
  const applied = await applyMigrations(client, pending);
  out.facts({ database: place, applied: applied.join(", ") });
}

async function runBackup(context: CommandContext, file: string): Promise<void> {
  await using target = await context.openTarget();
  const path = await backUp(target, file);
  await target.audit.record({ type: "admin.backup", outcome: "success" });
  context.out().facts({ backup: path });
}

async function runCleanup(context: CommandContext): Promise<void> {
  await using target = await context.openTarget();
  await requireMigrated(target);
  context.out().facts(await cleanUp(target, context.signal));
}
