import { type Command, Option } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import type { Environment } from "../../shared/env.ts";
import { withoutValues } from "../../shared/log.ts";
import { parseConfig } from "../config/config.ts";
import { composeMail, type MailOrder } from "../mail/compose-mail.ts";
import { parseEmail } from "../mail/email-address.ts";
import { type Mail, type Mailer, MailFailed } from "../mail/mailer.ts";
import { withThrowawaySecrets } from "../node/development-secrets.ts";
import { createNodeMailer } from "../node/node-mailer.ts";
import { LANGUAGES } from "../texts/languages.ts";
import type { CommandContext } from "./context.ts";
import { showFacts } from "./results.ts";

/** `mail test`. */
export function addMailCommands(program: Command, context: CommandContext): void {
  program
    .command("mail")
    .description("Test the mail transport.")
    .command("test")
    .description("Send one message with the configured transport, and show the result.")
    .argument("<address>", "the recipient")
    .action((address: string) => runTest(context, address));
}

async function runTest(context: CommandContext, given: string): Promise<void> {
  const address = parseEmail(given);
  if (!address) throw new CommandFailed("address: must be an e-mail address.");
  const { mailer, transport, baseUrl } = createConfiguredMailer(context.env);
  const to = address.email;
  const text = `This message tests the mail of ${baseUrl}. No action is needed.\n`;
  await sendByCommand(mailer, { to, subject: "Test of the sign-in server", text });
  showFacts(context.out(), { sent: to, transport });
}

/** `--language`, of a mail to a person. */
export function mailLanguage(): Option {
  return new Option("--language <language>", "of the mail").choices(LANGUAGES).default("en");
}

/** Shows what a command did, and mails a person if the server has a transport that reaches one. @throws CommandFailed */
export async function showAndMail(
  context: CommandContext,
  facts: Record<string, string>,
  order: MailOrder,
): Promise<void> {
  const config = parseConfig(withThrowawaySecrets(context.env));
  const { kind: transport } = config.mail;
  const isMailed = transport === "http" || transport === "smtp";
  showFacts(context.out(), { ...facts, mail: isMailed ? transport : "none" });
  if (isMailed) await sendByCommand(createNodeMailer(config), composeMail(config, order));
}

/** Sends a mail of a command. @throws CommandFailed with the reason of the mail server or the system */
async function sendByCommand(mailer: Mailer, mail: Mail): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    throw new CommandFailed(`${error.message}${reasonOf(error.cause)}`, { cause: error });
  }
}

/** The message of the mail server or the system. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? ` Reason: ${withoutValues(cause).message}` : "";
}

/** A mail transport, and its name in the configuration. */
interface ConfiguredMailer {
  mailer: Mailer;
  transport: string;
  /** The public address of the server that sends. */
  baseUrl: string;
}

/**
 * The transport that a server under these variables has. Its secrets and its data directory are not needed.
 * @throws CommandFailed if there is none, BadConfiguration if a variable is bad
 */
function createConfiguredMailer(env: Environment): ConfiguredMailer {
  const config = parseConfig(withThrowawaySecrets(env));
  const { kind: transport } = config.mail;
  if (transport === "none")
    throw new CommandFailed("MAIL_TRANSPORT is not set, so the server cannot send mail.");
  return { mailer: createNodeMailer(config), transport, baseUrl: config.baseUrl };
}
