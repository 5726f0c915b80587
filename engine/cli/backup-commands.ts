import { resolve } from "node:path";
import type { Command } from "commander";
import { systemClock, toIsoTime } from "../../shared/clock.ts";
import type { CommandContext } from "./context.ts";

/** `backup`, `restore`. */
export function addBackupCommands(program: Command, context: CommandContext): void {
  program
    .command("backup")
    .description(
      "Copy the database into a new file; the engine may be running. The copy has no folder indexes; `index` rebuilds them.",
    )
    .argument("<file>", "a new file that only you can read")
    .option("--with-key", "include the key of stored credentials; protect the file like a password")
    .action(async (file: string, { withKey = false }: { withKey?: boolean }) => {
      const { backUp } = await import("./backup/backup.ts");
      const { credentialStore: store } = context.config();
      const to = resolve(context.folder, file);
      const { path, hasKey } = await backUp({ directory: context.directory(), store, to, withKey });
      const what = hasKey ? "the database and the key of the stored credentials" : "the database";
      context.out().entry({ backup: path, with_key: hasKey }, `${path} has ${what}.`);
      if (withKey && !hasKey) context.remark("No credentials are stored, so there is no key yet.");
    });
  program
    .command("restore")
    .description("Restore a backup. Stop the engine first. The old database is kept.")
    .argument("<file>", "a file from `backup`")
    .action(async (file: string) => {
      const { restore } = await import("./backup/restore.ts");
      const from = resolve(context.folder, file);
      const stamp = toIsoTime(systemClock.now()).replaceAll(":", "-");
      const { signal } = context;
      const report = await restore({ config: context.config(), from, stamp, signal });
      const { database, kept = null, hadKey } = report;
      const was = kept === null ? "" : ` The previous database is ${kept}.`;
      const value = { restored: database, kept, with_key: hadKey };
      context.out().entry(value, `Restored ${database}.${was}`);
      if (hadKey) return;
      context.remark("Stored credentials need the key that sealed them. `doctor` checks for it.");
    });
}
