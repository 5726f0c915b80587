import { BadConfiguration, type Environment } from "../../../shared/env.ts";
import { type Finding, failed, fine, warning } from "../../checks/finding.ts";
import {
  checkDirectory,
  checkDisk,
  checkLock,
  checkNode,
  checkPort,
  checkRuntimeFile,
} from "../../checks/place-checks.ts";
import { checkClock, checkEmbeddings, checkModels } from "../../checks/server-checks.ts";
import { EngineNotRunning } from "../../client/node.ts";
import { type EngineConfig, listUnknownVariables, parseConfig } from "../../config.ts";
import { dataDirectoryAt } from "../../runtime/data-directory.ts";
import { openEngine } from "../context.ts";
import { checkCredentials, openCheckedDatabase } from "./database-checks.ts";
import { checkRoots } from "./root-checks.ts";

/** Looks at all that an engine needs, with and without a running one, and changes nothing. */
export async function* examine(env: Environment, signal: AbortSignal): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  const config = readConfig(env);
  yield* checkVariables(env, config);
  if (config instanceof BadConfiguration) return;
  const directory = dataDirectoryAt(config.dataDirectory);
  await using engine = await openEngine(directory, signal).catch(unlessAway);
  const runtime = engine?.runtime;
  // Servers that do not answer are waited for together.
  const accountUrl = config.accountUrl ?? (await engine?.account.getServer({ signal }))?.url;
  const clock = checkClock(accountUrl, signal);
  const embeddings = checkEmbeddings(config.embeddings, signal);
  await using database = await openCheckedDatabase(directory, engine !== undefined);
  const { db } = database;
  const models = db ? checkModels(db, engine, signal) : [];
  const credentials = checkCredentials(config, directory, db);
  yield await checkDirectory(directory);
  yield await checkLock(directory, runtime);
  yield await checkPort(config, runtime);
  yield await checkRuntimeFile(directory, runtime);
  yield database.finding;
  yield await credentials;
  yield* await models;
  yield await embeddings;
  if (db) {
    const isRunning = engine !== undefined;
    yield* checkRoots({ db, isRunning, ...config });
  }
  yield await checkDisk(directory);
  yield await clock;
}

function readConfig(env: Environment): EngineConfig | BadConfiguration {
  try {
    return parseConfig(env);
  } catch (error) {
    if (error instanceof BadConfiguration) return error;
    throw error;
  }
}

function* checkVariables(
  env: Environment,
  config: EngineConfig | BadConfiguration,
): Generator<Finding> {
  const check = "variables";
  if (config instanceof BadConfiguration) {
    yield failed(check, config.message.replaceAll("\n", "; "), "Correct or unset them.");
    return;
  }
  const unknown = listUnknownVariables(env);
  if (unknown.length === 0) yield fine(check, "All are known and valid.");
  for (const sentence of unknown) yield warning(check, sentence, "Correct the name, or unset it.");
}

function unlessAway(error: unknown): undefined {
  if (!(error instanceof EngineNotRunning)) throw error;
}
