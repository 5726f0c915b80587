import type { Answers } from "./answers.ts";
import { readProductionFile, TABLE_HEAD } from "./read-production-file.ts";

/** The places that a new file refers to. */
interface FileParts {
  /** The text of wrangler.toml: what the program itself needs is taken from it. */
  template: string;
  /** From the folder of the new file to that of wrangler.toml; empty if it is the same, else with a slash at the end. */
  prefix: string;
}

const PROGRAM =
  "# Of the program. Each run of `npm run signin -- setup workers` renews these lines.";
const OWN = "# Yours, from here on. Setup adds what is missing, and changes nothing that is there.";
/** Keys of wrangler.toml that belong to the program. */
const PROGRAM_KEYS = /^(main|compatibility_date|compatibility_flags|minify|keep_names) = /;
/** Tables of wrangler.toml that a new file starts with. */
const COPIED_TABLES = ["ratelimits", "triggers", "observability"];

/** A new file. */
export function writeProductionFile(
  { worker, host, database, databaseName, variables }: Answers,
  { template, prefix, databaseId }: FileParts & { databaseId: string | undefined },
): string {
  const d1 = [
    "[[d1_databases]]",
    'binding = "DB"',
    `database_name = ${toToml(databaseName)}`,
    `database_id = ${toToml(databaseId ?? "")}`,
    "",
  ];
  return [
    ...programLines(template, prefix),
    "",
    OWN,
    "# Variables: signin/README.md. Secrets are not variables: `npx wrangler secret put NAME --config wrangler.production.toml`.",
    `name = ${toToml(worker)}`,
    "workers_dev = false",
    "preview_urls = false",
    `routes = [{ pattern = ${toToml(host)}, custom_domain = true }]`,
    "",
    "[vars]",
    ...Object.entries(variables).map(toEntry),
    "",
    ...(database === "d1" ? d1 : []),
    ...COPIED_TABLES.flatMap((name) => [...linesOf(template, name), ""]),
  ].join("\n");
}

/** The file with the lines of the program renewed, and the missing variables added. */
export function completeProductionFile(
  text: string,
  { variables }: Answers,
  { template, prefix }: FileParts,
): string {
  const [start, end] = [text.indexOf(PROGRAM), text.indexOf(OWN)];
  const isRenewable = start !== -1 && end > start;
  const renewed = isRenewable
    ? `${text.slice(0, start)}${programLines(template, prefix).join("\n")}\n\n${text.slice(end)}`
    : text;
  const known = readProductionFile(renewed).variables;
  const missing = Object.entries(variables).filter(([name]) => !known.has(name));
  if (missing.length === 0) return renewed;
  const lines = missing.map(toEntry).join("\n");
  if (!/^\[vars\]/m.test(renewed)) return `${renewed}\n[vars]\n${lines}\n`;
  return renewed.replace(/^\[vars\].*$/m, (header) => `${header}\n${lines}`);
}

function programLines(template: string, prefix: string): string[] {
  const lines = template.split("\n").filter((line) => PROGRAM_KEYS.test(line));
  return [PROGRAM, ...lines].map((line) => line.replace(/^main = "/, `$&${prefix}`));
}

/** The lines of a table, without comments. */
function linesOf(template: string, table: string): string[] {
  const lines = template.split("\n");
  const start = lines.findIndex((line) => TABLE_HEAD.exec(line)?.[1] === table);
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => TABLE_HEAD.test(line));
  const own = [lines[start] ?? "", ...rest.slice(0, end === -1 ? rest.length : end)];
  return own.filter((line) => line !== "" && !line.startsWith("#"));
}

function toEntry([name, value]: [string, string]): string {
  return `${name} = ${toToml(value)}`;
}

/** A basic string of TOML: JSON's, but for the one control character that JSON leaves alone. */
function toToml(value: string): string {
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
