import type { Command } from "commander";
import { wholeNumber } from "../../shared/cli/whole-number.ts";
import { listEventsAfter, listNewestEvents } from "../audit/store.ts";
import { toSigninEvent } from "../audit/wire.ts";
import type { AuditEventRow } from "../db/schema.ts";
import { toTime } from "../db/time.ts";
import { AUDIT_PAGE_ROWS } from "../limits.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";
import { rowLimit } from "./row-limit.ts";
import { getUser } from "./user-commands.ts";

const toEventId = wholeNumber(0, Number.MAX_SAFE_INTEGER);

interface ListOptions {
  user?: string;
  type?: string;
  limit: number;
}

/** `audit list`, `audit export`. */
export function addAuditCommands(program: Command, context: CommandContext): void {
  const audit = program.command("audit").description("The audit trail of 90 days.");
  onDatabase(audit.command("list"))
    .description("The newest events, the newest first.")
    .option("--user <user>", "of one account: id or e-mail address")
    .option("--type <type>", "of one type, such as login.failure")
    .addOption(rowLimit())
    .action((options: ListOptions) => runList(context, options));
  onDatabase(audit.command("export"))
    .description(
      "All events as JSON Lines, the oldest first. --after continues after an event's id.",
    )
    .option("--after <id>", "only events after this one", toEventId, 0)
    .action(({ after }: { after: number }) => runExport(context, after));
}

async function runList(context: CommandContext, { user, type, limit }: ListOptions): Promise<void> {
  await using target = await context.openMigrated();
  const userId = user === undefined ? undefined : (await getUser(target, user)).id;
  const events = await listNewestEvents(target.db, { userId, type, limit });
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

async function runExport(context: CommandContext, from: number): Promise<void> {
  let after = from;
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
