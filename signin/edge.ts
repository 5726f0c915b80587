import { BadConfiguration } from "../shared/env.ts";
import { MigrationRefused } from "../shared/migrate.ts";
import { untilSignal } from "../shared/node/until-signal.ts";
import { StartRefused } from "./node/data-directory.ts";
import { startEdgeServer } from "./node/edge-server.ts";

// `npm run signin:edge`: the Worker in workerd, with a libSQL server beside it, until a signal comes.
try {
  await run();
  // wrangler keeps handles open that nobody waits for any more.
  process.exit();
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exit(1);
}

async function run(): Promise<void> {
  // Where a request comes from on the map is nobody's question here, and wrangler would ask the network for it.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";
  const stopAsked = untilSignal();
  await using server = await startEdgeServer(process.env);
  const { url, baseUrl, dataDirectory } = server;
  process.stdout.write(
    `The sign-in server listens in workerd: ${JSON.stringify({ url, baseUrl, dataDirectory })}\n`,
  );
  await stopAsked;
}

function sentenceOf(error: unknown): string {
  const isKnown =
    error instanceof BadConfiguration ||
    error instanceof StartRefused ||
    error instanceof MigrationRefused;
  if (isKnown) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
