import { BadConfiguration } from "../shared/env.ts";
import { MigrationRefused } from "../shared/migrate.ts";
import { untilSignal } from "../shared/node/until-signal.ts";
import { createSignin } from "./app.ts";
import { STOP_WAIT_MS } from "./limits.ts";
import { StartRefused } from "./node/data-directory.ts";
import { startServer } from "./node/run-server.ts";
import { USAGE } from "./node/usage.ts";

// The Node program: env → config → open → listen → wait for a signal → stop.
await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(USAGE);
    return;
  }
  if (args.length > 0) {
    process.exitCode = 2;
    process.stderr.write(`This command takes no arguments; see --help.\n`);
    return;
  }
  try {
    await run();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${sentenceOf(error)}\n`);
  }
}

async function run(): Promise<void> {
  const stopAsked = untilSignal();
  await using server = await startServer(process.env, createSignin);
  const { log } = server;
  process.on("unhandledRejection", (error) => {
    log.error({ error }, "A failure was not waited for.");
  });
  const reason = await stopAsked;
  log.info({ reason }, "The sign-in server stops.");
  // Even where something keeps the event loop alive: a call to a provider, a password being hashed.
  setTimeout(() => process.exit(), STOP_WAIT_MS).unref();
}

function sentenceOf(error: unknown): string {
  const isKnown =
    error instanceof BadConfiguration ||
    error instanceof StartRefused ||
    error instanceof MigrationRefused;
  if (isKnown) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
