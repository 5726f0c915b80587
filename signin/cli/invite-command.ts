import { type Command, Option } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { wholeNumber } from "../../shared/cli/whole-number.ts";
import { parseConfig } from "../config/config.ts";
import { toTime, unixNow } from "../db/time.ts";
import { DAY_SEC, INVITATION_DAYS, INVITATION_DAYS_MAX } from "../limits.ts";
import { parseEmail } from "../mail/email-address.ts";
import { withThrowawaySecrets } from "../node/development-secrets.ts";
import type { Language } from "../texts/languages.ts";
import { insertInvitation } from "./admin-store.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";
import { mailLanguage, showAndMail } from "./mail-commands.ts";

interface InviteOptions {
  days: number;
  language: Language;
}

/** `invite`. */
export function addInviteCommand(program: Command, context: CommandContext): void {
  onDatabase(program.command("invite"))
    .description("Let an address sign up under SIGNUP=invited, or beside SIGNUP_ALLOWED_DOMAINS.")
    .argument(
      "<address>",
      "the e-mail address; its owner proves it with a mailed code or a provider",
    )
    .addOption(
      new Option("--days <count>", `how long it is valid, at most ${INVITATION_DAYS_MAX}`)
        .argParser(wholeNumber(1, INVITATION_DAYS_MAX))
        .default(INVITATION_DAYS),
    )
    .addOption(mailLanguage())
    .action((address: string, options: InviteOptions) => runInvite(context, address, options));
}

async function runInvite(
  context: CommandContext,
  given: string,
  { days, language }: InviteOptions,
): Promise<void> {
  const address = parseEmail(given.trim());
  if (!address) throw new CommandFailed(`${JSON.stringify(given)} is not an e-mail address.`);
  const config = parseConfig(withThrowawaySecrets(context.env));
  if (config.signUp.rule === "closed") {
    throw new CommandFailed(
      "SIGNUP is closed, so invitations have no effect. Set SIGNUP=invited first.",
    );
  }
  await using target = await context.openMigrated();
  const expiresAt = unixNow(target.clock) + days * DAY_SEC;
  if (!(await insertInvitation(target.db, address, expiresAt))) {
    throw new CommandFailed(`An account already has the address ${JSON.stringify(address.email)}.`);
  }
  await target.audit.record({ type: "admin.invited", outcome: "success" });
  const until = toTime(expiresAt);
  const { email: to } = address;
  const order = { kind: "invitation", to, language, facts: { until } } as const;
  await showAndMail(context, { invited: to, until, page: `${config.baseUrl}/` }, order);
}
