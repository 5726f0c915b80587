import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { toTime, unixNow } from "../db/time.ts";
import { listLiveSessions } from "../sessions/store.ts";
import { revokeSessions } from "../tokens/session-store.ts";
import { findSessionOwner } from "./admin-store.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";
import { showFacts } from "./results.ts";
import { getUser } from "./user-commands.ts";

/** `sessions list`, `sessions revoke`. */
export function addSessionCommands(program: Command, context: CommandContext): void {
  const sessions = program.command("sessions").description("List and end sessions.");
  onDatabase(sessions.command("list"))
    .description("List the live sessions of an account, last used first.")
    .argument("<user>", "id or e-mail address")
    .action((user: string) => runList(context, user));
  onDatabase(sessions.command("revoke"))
    .description("End one session, or all of an account. Its tokens stop working at once.")
    .argument("[id]", "the id of a session")
    .option("--user <user>", "all sessions of this account: id or e-mail address")
    .action((id: string | undefined, { user }: { user?: string }) => runRevoke(context, id, user));
}

async function runList(context: CommandContext, idOrEmail: string): Promise<void> {
  await using target = await context.openMigrated();
  const { id: userId } = await getUser(target, idOrEmail);
  const rows = await listLiveSessions(target.db, { userId, now: unixNow(target.clock) });
  const out = context.out();
  out.rows(
    rows.map(({ id, kind, createdAt, lastSeenAt }) => ({
      id,
      kind,
      created: toTime(createdAt),
      last_seen: toTime(lastSeenAt),
    })),
  );
  if (rows.length === 0) out.line("No sessions.");
}

async function runRevoke(
  context: CommandContext,
  id: string | undefined,
  user: string | undefined,
): Promise<void> {
  if ((id === undefined) === (user === undefined)) {
    throw new CommandFailed("Give either a session id or --user.");
  }
  await using target = await context.openMigrated();
  const now = unixNow(target.clock);
  const sessionId = id ?? "";
  const owner = user === undefined ? undefined : await getUser(target, user);
  const userId = owner?.id ?? (await findSessionOwner(target.db, sessionId));
  const which = owner ? { userId: owner.id } : { id: sessionId };
  const ended = await revokeSessions(target.db, which, { reason: "admin", now });
  if (!owner && ended.length === 0) {
    throw new CommandFailed("No live session has this id.");
  }
  for (const endedId of ended) {
    const event = { type: "admin.session_revoked", outcome: "success" } as const;
    await target.audit.record({ ...event, userId, sessionId: endedId });
  }
  showFacts(context.out(), { revoked: ended.length });
}
