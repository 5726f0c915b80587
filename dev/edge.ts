import { describeForUser } from "../shared/failure.ts";
import { endAtSecondSignal, untilSignal } from "../shared/node/until-signal.ts";
import { startEdgeServer } from "./edge-server.ts";

// `npm run signin:edge`: the Worker in workerd, with a libSQL server beside it, until a signal comes.
try {
  await run();
  // wrangler leaves open handles behind.
  process.exit();
} catch (error) {
  process.stderr.write(`${describeForUser(error)}\n`);
  process.exit(1);
}

async function run(): Promise<void> {
  // wrangler would fetch the location of requests from the network; it is not used.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";
  const stopAsked = untilSignal();
  using starting = endAtSecondSignal();
  await using server = await startEdgeServer(process.env);
  const { url, baseUrl, database } = server;
  process.stdout.write(
    `The sign-in server is listening in workerd: ${JSON.stringify({ url, baseUrl, database })}\n`,
  );
  starting[Symbol.dispose]();
  await stopAsked;
}
