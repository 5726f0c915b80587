import type { Command } from "commander";
import { withoutValues } from "../../shared/log.ts";
import { parseEmail } from "../mail/email-address.ts";
import { MailFailed } from "../mail/mailer.ts";
import type { CommandContext } from "./context.ts";
import { CommandFailed } from "./output.ts";

/** `mail test`. */
export function addMailCommands(program: Command, context: CommandContext): void {
  program
    .command("mail")
    .description("The way out for codes.")
    .command("test")
    .description("Send one message by the configured transport, and say what became of it.")
    .argument("<address>", "where to")
    .action((address: string) => runTest(context, address));
}

async function runTest(context: CommandContext, given: string): Promise<void> {
  const address = parseEmail(given);
  if (!address) throw new CommandFailed("This is no e-mail address.");
  const { mailer, transport, baseUrl } = await context.openMailer();
  const to = address.email;
  const text = `This message tests the mail of ${baseUrl}. Nothing is to be done.\n`;
  try {
    await mailer.send({ to, subject: "Test of the sign-in server", text });
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    throw new CommandFailed(`${error.message}${reasonOf(error.cause)}`, { cause: error });
  }
  context.out().facts({ sent: to, transport });
}

/** What the mail server or the system said. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? ` Reason: ${withoutValues(cause).message}` : "";
}
