import { CommandFailed } from "../../shared/cli/output.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import type { Environment } from "../../shared/env.ts";
import { pendingMigrations } from "../../shared/migrate.ts";
import type { AuditSink } from "../audit/audit.ts";
import { migrations } from "../db/migrations.generated.ts";

/** The database that a command works on. */
export interface Target extends AsyncDisposable {
  db: Database;
  /** The file, the host of the server, or the name of the D1 database, for messages. */
  place: string;
  /** The embedded file; undefined for any other database. */
  filePath: string | undefined;
  /** False if a sign-in server has the embedded file open. Otherwise none can open it until this is disposed. */
  takeAlone(): boolean;
  /** The trail, which records the operator's changes, too. */
  audit: AuditSink;
  clock: Clock;
}

/** Which database a command works on. */
export interface TargetChoice {
  /** Creates a missing embedded file. */
  create?: boolean;
  /** Variables other than those of the process. */
  env?: Environment;
}

/** @throws CommandFailed if the schema is not that of this version. */
export async function requireMigrated({ db, place }: Target): Promise<void> {
  const pending = await pendingMigrations(db.$client, migrations);
  if (pending.length > 0) {
    throw new CommandFailed(`${place} is not up to date. Run \`migrate\` first.`);
  }
}
