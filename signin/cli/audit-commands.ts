import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { listEventsAfter, listNewestEvents } from "../audit/store.ts";
import { toSigninEvent } from "../audit/wire.ts";
import type { AuditEventRow } from "../db/schema.ts";
import { toTime } from "../db/time.ts";
import { AUDIT_PAGE_ROWS, ROWS_SHOWN_DEFAULT, ROWS_SHOWN_MAX } from "../limits.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";
import { getUser } from "./user-commands.ts";

interface ListOptions {
  user?: string;
  type?: string;
  limit?: string;
}

/** `audit list`, `audit export`. */
export function addAuditCommands(program: Command, context: CommandContext): void {
  const audit = program.command("audit").description("The audit trail of 90 days.");
  onDatabase(audit.command("list"))
    .description("The newest events, the newest first.")
    .option("--user <user>", "of one account: id or e-mail address")
    .option("--type <type>", "of one type, such as login.failure")
    .option("--limit <rows>", `at most ${ROWS_SHOWN_MAX}`, String(ROWS_SHOWN_DEFAULT))
    .action((options: ListOptions) => runList(context, options));
  onDatabase(audit.command("export"))
    .description(
      "All events as JSON Lines, the oldest first. --after continues after an event's id.",
    )
    .option("--after <id>", "only events after this one", "0")
    .action(({ after }: { after: string }) => runExport(context, after));
}

async function runList(context: CommandContext, { user, type, limit }: ListOptions): Promise<void> {
  const rows = toWholeNumber("--limit", limit ?? "");
  if (rows < 1 || rows > ROWS_SHOWN_MAX) {
    throw new CommandFailed(`--limit must be from 1 to ${ROWS_SHOWN_MAX}.`);
  }
  await using target = await context.openMigrated();
  const userId = user === undefined ? undefined : (await getUser(target, user)).id;
  const events = await listNewestEvents(target.db, { userId, type, limit: rows });
  const out = context.out();
  out.rows(
    events.map(({ id, at, type, outcome, userId, ipPrefix, detailJson }) => ({
      id,
      at: toTime(at),
      type,
      outcome,
      user: userId,
      network: ipPrefix,
      detail: detailJson,
    })),
  );
  if (events.length === 0) out.line("No events.");
}

async function runExport(context: CommandContext, given: string): Promise<void> {
  let after = toWholeNumber("--after", given);
  await using target = await context.openMigrated();
  const out = context.out();
  for (;;) {
    context.signal.throwIfAborted();
    const page = await listEventsAfter(target.db, { after, limit: AUDIT_PAGE_ROWS });
    for (const event of page) out.json(toExported(event));
    after = page.at(-1)?.id ?? after;
    if (page.length < AUDIT_PAGE_ROWS) return;
  }
}

function toExported(row: AuditEventRow) {
  const { id, userId, requestId } = row;
  return { id, ...toSigninEvent(row), user_id: userId, request_id: requestId };
}

function toWholeNumber(option: string, text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (value === undefined) throw new CommandFailed(`${option} must be a whole number.`);
  return value;
}
