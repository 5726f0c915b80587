import { readFile } from "node:fs/promises";
import type { Environment } from "../../shared/env.ts";
import { StartRefused } from "../../shared/failure.ts";
import { writePrivateFile } from "../../shared/node/private-file.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import { GENERATED_SECRETS } from "../config/secrets.ts";
import type { DataDirectory } from "./data-directory.ts";

/** The environment with the generated secrets, and their names. */
interface CompletedEnvironment {
  env: Environment;
  generated: string[];
}

/**
 * In development, generates the missing secrets once, and stores them in the data directory, so that sessions and stored keys
 * survive a restart. Elsewhere nothing is generated, and the configuration refuses the start.
 * @throws StartRefused if the file cannot be read or written
 */
export async function withDevelopmentSecrets(
  env: Environment,
  directory: DataDirectory,
): Promise<CompletedEnvironment> {
  const missing = missingSecrets(env);
  if (missing.length === 0) return { env, generated: [] };
  const kept = (await readSecrets(directory)) ?? (await writeSecrets(directory));
  const filled = Object.fromEntries(missing.map((name) => [name, kept[name]]));
  return { env: { ...env, ...filled }, generated: missing };
}

/** The environment with the secrets that a server in development stored; nothing is generated. @throws StartRefused as above */
export async function withStoredSecrets(
  env: Environment,
  directory: DataDirectory,
): Promise<Environment> {
  const missing = missingSecrets(env);
  const stored = missing.length > 0 ? await readSecrets(directory) : undefined;
  return { ...env, ...Object.fromEntries(missing.map((name) => [name, stored?.[name]])) };
}

/** For checking a configuration, or using its other parts, without any stored secret. */
export function withThrowawaySecrets(env: Environment): Environment {
  const made = missingSecrets(env).map((name) => [name, GENERATED_SECRETS[name]?.()]);
  return { ...env, ...Object.fromEntries(made) };
}

/** The missing secrets; none outside development. */
function missingSecrets(env: Environment): string[] {
  if ((env.APP_ENV?.trim() || "development") !== "development") return [];
  return Object.keys(GENERATED_SECRETS).filter((name) => !env[name]?.trim());
}

type Secrets = Readonly<Record<string, string>>;

async function readSecrets({ secrets: path }: DataDirectory): Promise<Secrets | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw new StartRefused(`The file ${path} cannot be read.`, { cause: error });
  }
  const found = parseSecrets(text);
  if (found) return found;
  throw new StartRefused(
    `The file ${path} is damaged. Restore it, or remove it to start with new secrets. Sessions and stored keys are then lost.`,
  );
}

function parseSecrets(text: string): Secrets | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const entries = Object.entries(value ?? {}).filter(([, secret]) => typeof secret === "string");
    const found = Object.fromEntries(entries);
    return Object.keys(GENERATED_SECRETS).every((name) => name in found) ? found : undefined;
  } catch {
    return undefined;
  }
}

async function writeSecrets({ secrets: path }: DataDirectory): Promise<Secrets> {
  const made = Object.fromEntries(
    Object.entries(GENERATED_SECRETS).map(([name, generate]) => [name, generate()]),
  );
  await writePrivateFile(path, `${JSON.stringify(made, undefined, 2)}\n`);
  return made;
}
