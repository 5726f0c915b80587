import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { CommandFailed } from "../../../shared/cli/output.ts";
import type { Environment } from "../../../shared/env.ts";
import { migrate } from "../../../shared/migrate.ts";
import { writePrivateFile } from "../../../shared/node/private-file.ts";
import { retry } from "../../../shared/retry.ts";
import { systemErrorCode } from "../../../shared/system-error.ts";
import { migrations } from "../../db/migrations.generated.ts";
import { PROVIDER_TIMEOUT_MS, SETUP_READY_POLL_MS, SETUP_READY_WAIT_MS } from "../../limits.ts";
import type { CommandContext } from "../context.ts";
import { createD1CommandClient } from "../d1-command-client.ts";
import { reasonOfWrangler } from "../wrangler.ts";
import { type Answers, listSecretNames } from "./answers.ts";
import { createD1, findD1 } from "./cloudflare.ts";
import { readProductionFile } from "./read-production-file.ts";
import type { Secrets } from "./secrets.ts";
import { completeProductionFile, writeProductionFile } from "./write-production-file.ts";

/** The name of the file, in the current folder. */
export const PRODUCTION_FILE = "wrangler.production.toml";
const CONFIG = ["--config", PRODUCTION_FILE];
const ROOT = join(import.meta.dirname, "../../..");

/** What the steps work with. */
export interface Plan {
  context: CommandContext;
  answers: Answers;
  /** The text of the file; undefined if there is none. */
  fileText: string | undefined;
  /** The values to store in the Worker; under `--dry-run` none. */
  secrets: Secrets;
  /** The names of secrets that the Worker has. */
  present: readonly string[];
}

/** One step. `command` is what a person would type; it never has the value of a secret. */
export interface Step {
  name: string;
  command: string;
  /** Returns what was done. */
  run(): Promise<string>;
}

/** The steps of a deployment, in their order. Each does nothing where its result is there. */
export function listSteps(plan: Plan): Step[] {
  const { answers } = plan;
  const { database, databaseName, host } = answers;
  const needed = listSecretNames(answers.variables, database);
  const missing = needed.filter((name) => !plan.present.includes(name));
  const isD1 = database === "d1";
  return [
    ...(isD1
      ? [step("database", `npx wrangler d1 create ${databaseName}`, () => makeD1(plan))]
      : []),
    step("configuration", `write ${PRODUCTION_FILE}`, () => writeConfiguration(plan)),
    step(
      "secrets",
      `npx wrangler secret bulk ${CONFIG.join(" ")}  # standard input: ${missing.join(", ") || "nothing"}`,
      () => storeSecrets(plan),
    ),
    step(
      "schema",
      isD1
        ? `npm run signin -- migrate --d1 ${databaseName} --remote ${CONFIG.join(" ")}`
        : `DATABASE_URL=${answers.variables.DATABASE_URL} npm run signin -- migrate`,
      () => applySchema(plan),
    ),
    step("deployment", `npx wrangler deploy ${CONFIG.join(" ")}`, () => deploy(plan)),
    step("ready", `curl https://${host}/ready`, () => untilReady(plan)),
  ];
}

/** The text of the file in the current folder. */
export async function readFileText(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, PRODUCTION_FILE), "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw new CommandFailed(`${PRODUCTION_FILE} cannot be read (${systemErrorCode(error)}).`);
  }
}

function step(name: string, command: string, run: () => Promise<string>): Step {
  return { name, command, run };
}

async function makeD1({ context, answers: { databaseName }, fileText }: Plan): Promise<string> {
  if (readProductionFile(fileText ?? "").databaseId) return `${PRODUCTION_FILE} names it`;
  if ((await findD1(context, databaseName)) !== undefined) return `${databaseName} exists`;
  return `${databaseName} is created, ${await createD1(context, databaseName)}`;
}

async function writeConfiguration({ context, answers, fileText }: Plan): Promise<string> {
  const { database, databaseName } = answers;
  const prefix = relative(context.folder, ROOT).split(sep).join("/");
  const parts = {
    template: await readFile(join(ROOT, "wrangler.toml"), "utf8"),
    prefix: prefix === "" ? "" : `${prefix}/`,
  };
  if (fileText !== undefined) {
    const text = completeProductionFile(fileText, answers, parts);
    if (text === fileText) return `${PRODUCTION_FILE} is unchanged`;
    await writePrivateFile(join(context.folder, PRODUCTION_FILE), text);
    return `${PRODUCTION_FILE} is updated`;
  }
  const databaseId = database === "d1" ? await findD1(context, databaseName) : undefined;
  const text = writeProductionFile(answers, { ...parts, databaseId });
  await writePrivateFile(join(context.folder, PRODUCTION_FILE), text);
  return `${PRODUCTION_FILE} is written`;
}

async function storeSecrets({ context, secrets, present }: Plan): Promise<string> {
  const missing = Object.entries(secrets).filter(([name]) => !present.includes(name));
  if (missing.length === 0) return "all are set";
  const input = JSON.stringify(Object.fromEntries(missing));
  const result = await context.wrangler.run(["secret", "bulk", ...CONFIG], { input });
  if (result.code !== 0) throw new CommandFailed(reasonOfWrangler(result));
  return `stored ${missing.map(([name]) => name).join(", ")}`;
}

async function applySchema({ context, answers, secrets }: Plan): Promise<string> {
  const { database, databaseName: name, variables } = answers;
  const applied =
    database === "d1"
      ? await migrateD1(context, name)
      : await migrateServer(context, {
          DATABASE_URL: variables.DATABASE_URL,
          DATABASE_AUTH_TOKEN: secrets.DATABASE_AUTH_TOKEN,
        });
  return applied.length > 0 ? `applied ${applied.join(", ")}` : "up to date";
}

function migrateD1({ wrangler }: CommandContext, name: string): Promise<string[]> {
  const place = { name, isRemote: true, config: PRODUCTION_FILE };
  return migrate(createD1CommandClient(wrangler, place), migrations);
}

async function migrateServer({ openTarget }: CommandContext, env: Environment): Promise<string[]> {
  await using target = await openTarget({ env });
  return await migrate(target.db.$client, migrations);
}

async function deploy({ context, answers }: Plan): Promise<string> {
  const result = await context.wrangler.run(["deploy", ...CONFIG]);
  if (result.code !== 0) throw new CommandFailed(reasonOfWrangler(result));
  return `${answers.worker} is deployed`;
}

async function untilReady({ context, answers: { host } }: Plan): Promise<string> {
  const url = `https://${host}/ready`;
  const { clock, timers, signal } = context;
  const end = clock.now() + SETUP_READY_WAIT_MS;
  const waitMs = () => (clock.now() < end ? SETUP_READY_POLL_MS : undefined);
  return retry(() => requireReady(context, url), { timers, signal, waitMs });
}

async function requireReady(context: CommandContext, url: string): Promise<string> {
  const status = await statusOf(context, url);
  if (status === "200") return `GET ${url} is 200`;
  throw new CommandFailed(
    `The Worker is deployed, but GET ${url} is ${status}. A new domain can take some minutes: ` +
      `run \`npm run signin -- smoke ${new URL(url).origin}\` then.`,
  );
}

async function statusOf({ fetch, signal }: CommandContext, url: string): Promise<string> {
  try {
    const timeout = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
    const response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch {
    signal.throwIfAborted();
    return "without an answer";
  }
}
