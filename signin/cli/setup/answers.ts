import { CommandFailed } from "../../../shared/cli/output.ts";
import type { Environment } from "../../../shared/env.ts";
import { randomToken } from "../../../shared/random.ts";
import { parseConfig } from "../../config/config.ts";
import { isProviderName } from "../../config/presets.ts";
import type { Terminal } from "../terminal.ts";
import type { ProductionFile } from "./read-production-file.ts";

/** The flags of `setup workers`. */
export interface SetupOptions {
  domain?: string;
  ui?: string;
  database?: string;
  databaseUrl?: string;
  databaseName?: string;
  oidcClientId?: string;
  oauthClientId?: string;
  mailFrom?: string;
  mailHttpFormat?: string;
  mailHttpUrl?: string;
  name?: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** Where answers come from. */
export interface Sources {
  options: SetupOptions;
  file: ProductionFile | undefined;
  terminal: Terminal;
}

/** What the operator wants: flags, what the file has already, and answers. */
export interface Answers {
  /** The name of the Worker. */
  worker: string;
  /** Its public host, without a port. */
  host: string;
  database: "d1" | "libsql";
  /** Of D1. */
  databaseName: string;
  /** What `[vars]` needs: the file has some of them, setup adds the others. */
  variables: Readonly<Record<string, string>>;
}

const DEFAULT_NAME = "roundhouse-signin";
const MAIL_URLS: Readonly<Record<string, string>> = {
  resend: "https://api.resend.com/emails",
  postmark: "https://api.postmarkapp.com/email",
  sendgrid: "https://api.sendgrid.com/v3/mail/send",
};

interface Question {
  flag: keyof SetupOptions;
  /** Of `[vars]`. */
  variable: string;
  text: string;
  isNeeded: boolean;
  toValue?(given: string): string;
}

const DOMAIN: Question = {
  flag: "domain",
  variable: "APP_BASE_URL",
  text: "Public domain of the server, in a zone of your account (auth.example.com):",
  isNeeded: true,
  toValue: toHttps,
};
const UI: Question = {
  flag: "ui",
  variable: "APP_UI_BASE_URL",
  text: "Address of the user interface, where browsers return (https://app.example.com):",
  isNeeded: true,
  toValue: toHttps,
};
const DATABASE_URL: Question = {
  flag: "databaseUrl",
  variable: "DATABASE_URL",
  text: "Address of the libSQL server (https://NAME.turso.io):",
  isNeeded: true,
  toValue: requireBareAddress,
};
const OPTIONAL: readonly Question[] = [
  ["oidcClientId", "OIDC_PROVIDER_CLIENT_ID", "Client ID at Google (empty for none):"],
  ["oauthClientId", "OAUTH_PROVIDER_CLIENT_ID", "Client ID at GitHub (empty for none):"],
  ["mailFrom", "MAIL_FROM", "Sender of mails, through Resend (empty for no mail):"],
].map(([flag, variable, text]) => ({
  // The names are those of SetupOptions.
  flag: flag as keyof SetupOptions,
  variable: variable ?? "",
  text: text ?? "",
  isNeeded: false,
}));

/**
 * Settles every answer. A terminal is asked for what is missing; without one nothing is asked.
 * @throws CommandFailed if an answer is missing, or a flag differs from what the file has
 * @throws BadConfiguration if the answers are no configuration; it names the variables
 */
export async function settleAnswers(sources: Sources): Promise<Answers> {
  const { options, file } = sources;
  const baseUrl = await settle(DOMAIN, sources);
  const uiUrl = await settle(UI, sources);
  const database = await settleDatabase(sources);
  const listed = file?.variables.get("PROVIDERS");
  const variables: Record<string, string> = {
    ...(listed ? { PROVIDERS: listed } : {}),
    APP_ENV: file?.variables.get("APP_ENV") ?? "production",
    APP_BASE_URL: baseUrl,
    APP_UI_BASE_URL: uiUrl,
    ...(database === "libsql" ? { DATABASE_URL: await settle(DATABASE_URL, sources) } : {}),
  };
  for (const question of OPTIONAL) {
    const value = await settle(question, sources);
    if (value !== "") variables[question.variable] = value;
  }
  Object.assign(variables, settleMail(sources, variables));
  const names = {
    worker: settleName("name", options.name, file?.name),
    databaseName: settleName("database-name", options.databaseName, file?.databaseName),
  };
  const all = { ...Object.fromEntries(file?.variables ?? []), ...variables };
  requireConfiguration(all, database);
  return { ...names, host: new URL(baseUrl).host, database, variables };
}

// What the configuration looks for in a key of Apple's.
const KEY_SHAPE = "BggqhkjOPQMBBw==";

/** Checks variables as the Worker will at its start. Secrets count as present. @throws BadConfiguration */
function requireConfiguration(variables: Environment, database: Answers["database"]): void {
  const secrets = Object.fromEntries(
    listSecretNames(variables, database).map((name) => [
      name,
      name.endsWith("_PRIVATE_KEY") ? KEY_SHAPE : randomToken(),
    ]),
  );
  parseConfig({ ...variables, ...secrets }, "workers", { hasD1: database === "d1" });
}

/** The secrets that a server under these variables needs, those that it makes itself first. */
export function listSecretNames(variables: Environment, database: Answers["database"]): string[] {
  return [
    "JWT_SECRET_KEY",
    "TOKEN_ENCRYPTION_KEY",
    ...(database === "libsql" ? ["DATABASE_AUTH_TOKEN"] : []),
    ...(variables.OIDC_PROVIDER_CLIENT_ID ? ["OIDC_PROVIDER_CLIENT_SECRET"] : []),
    ...(variables.OAUTH_PROVIDER_CLIENT_ID ? ["OAUTH_PROVIDER_CLIENT_SECRET"] : []),
    ...listProviderSecrets(variables),
    ...(variables.MAIL_TRANSPORT === "http" ? ["MAIL_HTTP_TOKEN"] : []),
  ];
}

function listProviderSecrets({ PROVIDERS = "" }: Environment): string[] {
  const names = PROVIDERS.split(",").map((name) => name.trim());
  return names.filter(isProviderName).map((name) => {
    const secret = name === "apple" ? "PRIVATE_KEY" : "CLIENT_SECRET";
    return `PROVIDER_${name.toUpperCase()}_${secret}`;
  });
}

async function settle(question: Question, { options, file, terminal }: Sources): Promise<string> {
  const { flag, variable, text, isNeeded, toValue = (value: string) => value } = question;
  const given = options[flag];
  const known = file?.variables.get(variable);
  const value = typeof given === "string" ? toValue(given.trim()) : undefined;
  if (value === "") throw new CommandFailed(`${toFlag(flag)} has no value.`);
  if (value !== undefined && known !== undefined) requireEqual(toFlag(flag), value, known);
  if (value !== undefined || known !== undefined) return value ?? known ?? "";
  // What is optional was asked for when the file was made.
  if (!isNeeded && (file !== undefined || !terminal.isInteractive || options.yes)) return "";
  if (!terminal.isInteractive) throw new CommandFailed(`${toFlag(flag)} is missing.`);
  for (;;) {
    const answer = toValue(await terminal.ask(text));
    if (answer !== "" || !isNeeded) return answer;
  }
}

async function settleDatabase({ options, file, terminal }: Sources): Promise<Answers["database"]> {
  const { database, databaseUrl } = options;
  const known = file && (file.variables.has("DATABASE_URL") ? "libsql" : "d1");
  const given = database ?? (databaseUrl === undefined ? undefined : "libsql");
  if (given !== undefined && known !== undefined) requireEqual("--database", given, known);
  const kind = given ?? known;
  if (kind === "d1" && databaseUrl !== undefined) {
    throw new CommandFailed("--database-url is for --database libsql.");
  }
  if (kind === "libsql" || kind === "d1") return kind;
  if (kind !== undefined) throw new CommandFailed("--database must be d1 or libsql.");
  if (!terminal.isInteractive) throw new CommandFailed("--database is missing: d1 or libsql.");
  for (;;) {
    const answer = await terminal.ask("Database, libsql (such as Turso) or d1 (Cloudflare's):");
    if (answer === "d1" || answer === "libsql") return answer;
  }
}

function settleMail(
  { options: { mailHttpFormat, mailHttpUrl }, file }: Sources,
  { MAIL_FROM: from }: Environment,
): Record<string, string> {
  const known = (name: string) => file?.variables.get(name);
  const format = mailHttpFormat ?? known("MAIL_HTTP_FORMAT") ?? "resend";
  if (from === undefined) {
    if (mailHttpFormat === undefined && mailHttpUrl === undefined) return {};
    throw new CommandFailed("--mail-from is missing: the other mail flags need it.");
  }
  const url = mailHttpUrl ?? known("MAIL_HTTP_URL") ?? MAIL_URLS[format];
  if (url === undefined) {
    throw new CommandFailed(`--mail-http-url is missing: ${format} has no single address.`);
  }
  const wanted = { MAIL_TRANSPORT: "http", MAIL_HTTP_FORMAT: format, MAIL_HTTP_URL: url };
  for (const [name, value] of Object.entries(wanted)) {
    requireEqual(`the flag for ${name}`, value, known(name) ?? value);
  }
  return wanted;
}

function settleName(flag: string, given: string | undefined, known: string | undefined): string {
  if (given !== undefined && known !== undefined) requireEqual(`--${flag}`, given, known);
  const name = given ?? known ?? DEFAULT_NAME;
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return name;
  throw new CommandFailed(`--${flag} must be 1 to 63 characters of a-z, 0-9 and -.`);
}

/** Setup changes nothing that is set. */
function requireEqual(flag: string, given: string, known: string): void {
  if (given === known) return;
  throw new CommandFailed(
    `${flag} is ${given}, but wrangler.production.toml has ${known}. Edit the file, or leave the flag out.`,
  );
}

/** `auth.example.com` is https there. */
function toHttps(given: string): string {
  if (given === "") return "";
  return (given.includes("://") ? given : `https://${given}`).replace(/\/$/, "");
}

/** Before anything shows it: services print addresses with a token. */
function requireBareAddress(given: string): string {
  if (!/[?#@]/.test(given)) return given;
  throw new CommandFailed(
    "--database-url must have no query, fragment or user. The token is DATABASE_AUTH_TOKEN, on standard input.",
  );
}

function toFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
