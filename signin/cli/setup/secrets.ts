import { z } from "zod";
import { CommandFailed } from "../../../shared/cli/output.ts";
import type { Environment } from "../../../shared/env.ts";
import { parseJson } from "../../../shared/json.ts";
import { GENERATED_SECRETS } from "../../config/secrets.ts";
import type { Terminal } from "../terminal.ts";

/** Secrets by name. Their values go to wrangler's standard input, and nowhere else. */
export type Secrets = Readonly<Record<string, string>>;

/** What setup knows before it collects secrets. */
interface Wanted {
  /** The names that the server needs. */
  needed: readonly string[];
  /** The names that the Worker has. */
  present: readonly string[];
}

const Given = z.record(z.string(), z.string().trim().min(1));

/** A libSQL server may need none. */
const OPTIONAL = "DATABASE_AUTH_TOKEN";

/**
 * The secrets that the Worker lacks, and the token of the database, which the migration needs in any case. Keys are generated
 * unless they are given; those of services come from standard input, a question, or for the database its variable.
 * @throws CommandFailed naming what is missing
 */
export async function collectSecrets(
  { needed, present }: Wanted,
  terminal: Terminal,
  env: Environment,
): Promise<Secrets> {
  const isMissing = (name: string) => !present.includes(name) || name === OPTIONAL;
  const missing = needed.filter(isMissing);
  const asked = missing.filter((name) => !(name in GENERATED_SECRETS));
  const given = terminal.isInteractive ? {} : parseGiven(await terminal.readInput(), needed);
  const secrets: Record<string, string> = {};
  for (const name of missing) {
    const known =
      given[name] ?? (name === OPTIONAL ? env[name]?.trim() : GENERATED_SECRETS[name]?.());
    const value = known || (asked.includes(name) ? await askFor(name, terminal) : "");
    if (value !== "") secrets[name] = value;
  }
  const lacking = asked.filter((name) => name !== OPTIONAL && !(name in secrets));
  if (lacking.length === 0) return secrets;
  throw new CommandFailed(
    `${lacking.join(", ")}: write ${lacking.length === 1 ? "it" : "them"} to standard input as JSON ` +
      `({"${lacking[0]}": "..."}), or run this on a terminal.`,
  );
}

async function askFor(name: string, terminal: Terminal): Promise<string> {
  if (!terminal.isInteractive) return "";
  for (;;) {
    const hint = name === OPTIONAL ? " (empty for none)" : "";
    const value = await terminal.askSecret(`${name}${hint}:`);
    if (value !== "" || name === OPTIONAL) return value;
  }
}

function parseGiven(text: string, needed: readonly string[]): Secrets {
  if (text.trim() === "") return {};
  const given = Given.safeParse(parseJson(text));
  if (!given.success) {
    throw new CommandFailed("Standard input must be one JSON object of names and texts.");
  }
  const unknown = Object.keys(given.data).filter((name) => !needed.includes(name));
  if (unknown.length === 0) return given.data;
  throw new CommandFailed(
    `Standard input has ${unknown.map((name) => JSON.stringify(name)).join(", ")}; this server needs ${needed.join(", ")}.`,
  );
}
