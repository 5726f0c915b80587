import { CommandFailed } from "../../shared/cli/output.ts";
import type { Environment } from "../../shared/env.ts";
import { parseConfig } from "../config/config.ts";
import type { Mailer } from "../mail/mailer.ts";
import { withThrowawaySecrets } from "../node/development-secrets.ts";
import { createNodeMailer } from "../node/node-mailer.ts";

/** A mail transport, and its name in the configuration. */
interface ConfiguredMailer {
  mailer: Mailer;
  transport: string;
  /** The public address of the server that sends. */
  baseUrl: string;
}

/**
 * The transport that a server under these variables has. Its secrets and its data directory are not needed.
 * @throws CommandFailed where there is none, BadConfiguration where a variable is bad
 */
export function createConfiguredMailer(env: Environment): ConfiguredMailer {
  const config = parseConfig(withThrowawaySecrets(env));
  const { kind: transport } = config.mail;
  if (transport === "none") throw new CommandFailed("MAIL_TRANSPORT is not set: there is no mail.");
  return { mailer: createNodeMailer(config), transport, baseUrl: config.baseUrl };
}
