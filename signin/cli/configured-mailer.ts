import { CommandFailed } from "../../shared/cli/output.ts";
import type { Environment } from "../../shared/env.ts";
import { parseConfig } from "../config/config.ts";
import type { Mailer } from "../mail/mailer.ts";
import { resolveDataDirectory } from "../node/data-directory.ts";
import { withDevelopmentSecrets } from "../node/development-secrets.ts";
import { createNodeMailer } from "../node/node-mailer.ts";

/** A mail transport, and its name in the configuration. */
interface ConfiguredMailer {
  mailer: Mailer;
  transport: string;
  /** The public address of the server that sends. */
  baseUrl: string;
}

/**
 * The transport that a server under these variables has.
 * @throws CommandFailed where there is none, BadConfiguration where a variable is bad
 */
export async function createConfiguredMailer(env: Environment): Promise<ConfiguredMailer> {
  const { env: completed } = await withDevelopmentSecrets(env, resolveDataDirectory(env));
  const config = parseConfig(completed);
  const { kind: transport } = config.mail;
  if (transport === "none") throw new CommandFailed("MAIL_TRANSPORT is not set: there is no mail.");
  return { mailer: createNodeMailer(config), transport, baseUrl: config.baseUrl };
}
