import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { findAccount, listPasskeyLabels } from "../accounts/store.ts";
import { toTime, toTimeOrNull, unixNow } from "../db/time.ts";
import { parseEmail } from "../mail/email-address.ts";
import { deleteFactor, getFactorState } from "../second-factor/store.ts";
import type { Language } from "../texts/languages.ts";
import {
  type AdminUser,
  deleteUser,
  findUser,
  listUsers,
  setDisabled,
  setEmail,
  summarizeSessions,
} from "./admin-store.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";
import { mailLanguage, showAndMail } from "./mail-commands.ts";
import { showFacts } from "./results.ts";
import { rowLimit } from "./row-limit.ts";
import type { Target } from "./target.ts";

interface ListOptions {
  limit: number;
  after: string;
  contains: string;
}

/** `users list`, `show`, `disable`, `enable`, `set-email`, `reset-second-factor`, `delete`. */
export function addUserCommands(program: Command, context: CommandContext): void {
  const users = program.command("users").description("Accounts.");
  onDatabase(users.command("list"))
    .description("Accounts in the order of their addresses.")
    .addOption(rowLimit())
    .option(
      "--after <email>",
      "only those after this address: the last one of the previous page",
      "",
    )
    .option("--contains <text>", "only those whose address contains this", "")
    .action((options: ListOptions) => runList(context, options));
  onDatabase(users.command("show"))
    .description("One account: how it signs in, what is connected, its sessions.")
    .argument("<user>", "id or e-mail address")
    .action((user: string) => runShow(context, user));
  onDatabase(users.command("disable"))
    .description("End the sessions of an account. It cannot sign in until it is enabled.")
    .argument("<user>", "id or e-mail address")
    .action((user: string) => runDisable(context, user, true));
  onDatabase(users.command("enable"))
    .description("Let a disabled account sign in again.")
    .argument("<user>", "id or e-mail address")
    .action((user: string) => runDisable(context, user, false));
  onDatabase(users.command("set-email"))
    .description(
      "Change an account's address. Its sessions end; its owner then resets the password.",
    )
    .argument("<user>", "id or e-mail address")
    .argument("<email>", "the new address")
    .action((user: string, email: string) => runSetEmail(context, user, email));
  onDatabase(users.command("reset-second-factor"))
    .description(
      "Switch off an account's second factor if its owner lost the app and the recovery codes. The owner gets a mail.",
    )
    .argument("<user>", "id or e-mail address")
    .requiredOption("--yes", "required: first verify that the owner asked for it")
    .addOption(mailLanguage())
    .action((user: string, options: { language: Language }) => runReset(context, user, options));
  onDatabase(users.command("delete"))
    .description("Delete an account, its sessions and its connections. You cannot undo this.")
    .argument("<user>", "id or e-mail address")
    .requiredOption("--yes", "required: the command does not ask for confirmation")
    .action((user: string) => runDelete(context, user));
}

/** @throws CommandFailed if there is no such account. */
export async function getUser({ db }: Pick<Target, "db">, idOrEmail: string): Promise<AdminUser> {
  const user = await findUser(db, idOrEmail);
  if (!user) throw new CommandFailed(`There is no account ${JSON.stringify(idOrEmail)}.`);
  return user;
}

async function runList(context: CommandContext, { limit, after, contains }: ListOptions) {
  await using target = await context.openMigrated();
  const users = await listUsers(target.db, { after: after.toLowerCase(), contains, limit });
  const out = context.out();
  out.rows(users.map(toRow));
  if (users.length === 0) out.line("No accounts.");
}

async function runShow(context: CommandContext, idOrEmail: string): Promise<void> {
  await using target = await context.openMigrated();
  const { db, clock } = target;
  const user = await getUser(target, idOrEmail);
  const userId = user.id;
  const [account, passkeys, factor, { alive, lastSeenAt }] = await Promise.all([
    findAccount(db, userId),
    listPasskeyLabels(db, userId),
    getFactorState(db, userId),
    summarizeSessions(db, { userId, now: unixNow(clock) }),
  ]);
  const out = context.out();
  showFacts(out, {
    ...toRow(user),
    second_factor: factor.isEnabled,
    recovery_codes: factor.recoveryCodes,
    sessions: alive,
    last_seen: toTimeOrNull(lastSeenAt),
  });
  const { connections = [] } = account ?? {};
  const listed = (kind: "login" | "api_key") =>
    connections
      .filter(({ isKey }) => isKey === (kind === "api_key"))
      .map(({ provider, connectedAt: connected }) => ({ provider, kind, connected }));
  const rows = [
    ...listed("login"),
    ...passkeys.map(({ name, since }) => ({ provider: name, kind: "passkey", connected: since })),
    ...listed("api_key"),
  ];
  if (rows.length > 0) out.rows(rows);
}

async function runDisable(
  context: CommandContext,
  idOrEmail: string,
  isDisabled: boolean,
): Promise<void> {
  await using target = await context.openMigrated();
  const { id: userId } = await getUser(target, idOrEmail);
  await setDisabled(target.db, { userId, isDisabled, now: unixNow(target.clock) });
  const type = isDisabled ? "admin.user_disabled" : "admin.user_enabled";
  await target.audit.record({ type, outcome: "success", userId });
  showFacts(context.out(), isDisabled ? { disabled: userId } : { enabled: userId });
}

async function runSetEmail(
  context: CommandContext,
  idOrEmail: string,
  given: string,
): Promise<void> {
  const to = parseEmail(given.trim());
  if (!to) throw new CommandFailed(`${JSON.stringify(given)} is not an e-mail address.`);
  await using target = await context.openMigrated();
  const { id: userId, email: from } = await getUser(target, idOrEmail);
  const change = { userId, from, to, now: unixNow(target.clock) };
  if (!(await setEmail(target.db, change))) {
    throw new CommandFailed(`Another account already has the address ${JSON.stringify(to.email)}.`);
  }
  await target.audit.record({ type: "admin.email_changed", outcome: "success", userId });
  showFacts(context.out(), { id: userId, email: to.email });
}

async function runReset(
  context: CommandContext,
  idOrEmail: string,
  { language }: { language: Language },
): Promise<void> {
  await using target = await context.openMigrated();
  const { id: userId, email: to } = await getUser(target, idOrEmail);
  if (!(await deleteFactor(target.db, userId))) {
    throw new CommandFailed(`The account ${JSON.stringify(to)} has no second factor.`);
  }
  await target.audit.record({ type: "admin.second_factor_reset", outcome: "success", userId });
  await showAndMail(context, { reset: userId }, { kind: "second_factor_reset", to, language });
}

async function runDelete(context: CommandContext, idOrEmail: string): Promise<void> {
  await using target = await context.openMigrated();
  const { id, email } = await getUser(target, idOrEmail);
  await deleteUser(target.db, { id, email });
  await target.audit.record({ type: "admin.user_deleted", outcome: "success", userId: id });
  showFacts(context.out(), { deleted: id });
}

function toRow({ id, email, displayName, hasPassword, createdAt, disabledAt }: AdminUser) {
  return {
    id,
    email,
    name: displayName,
    password: hasPassword,
    created: toTime(createdAt),
    disabled: toTimeOrNull(disabledAt),
  };
}
