import type { Exchange, ProviderServer } from "../test/support/providers/server.ts";
import { callTarget, createThread, type Target } from "./processes.ts";

/** The id under which the model is asked for. */
export const MODEL = "m";
/** What a tick of the engine forwards without joining it. */
const DELTAS_AT_ONCE = 8;

/** Configures a model whose provider is this server. */
export async function configureModel(target: Target, server: ProviderServer): Promise<void> {
  const configuration = {
    provider: "openai-compatible",
    model: MODEL,
    baseUrl: `${server.url}/v1`,
  };
  await callTarget(target, "POST", "/model-configurations", configuration);
}

/** A whole answer of so many deltas. `taken` resolves once so many have arrived: what comes too fast is joined. */
async function streamDeltas(
  exchange: Exchange,
  count: number,
  taken: (deltas: number) => Promise<void>,
): Promise<void> {
  exchange.head(200, { "content-type": "text/event-stream" });
  for (let sent = 0; sent < count; sent += DELTAS_AT_ONCE) {
    await taken(sent);
    const some = Array.from({ length: Math.min(DELTAS_AT_ONCE, count - sent) }, (_, more) =>
      chunk({ content: `word ${sent + more} ` }, null),
    );
    await exchange.write(some.join(""));
  }
  await exchange.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
  exchange.end();
}

/** The next answer of the server has so many deltas, as fast as they are read. */
export function scriptAnswer(server: ProviderServer, deltas: number): void {
  server.script((exchange) => streamDeltas(exchange, deltas, async () => {}));
}

/** Runs a turn over HTTP that streams so many deltas. @returns its uuid, once it has ended. */
export async function streamedTurn(
  target: Target,
  server: ProviderServer,
  deltas: number,
): Promise<string> {
  let arrived = 0;
  let wake: () => void = () => {};
  const taken = async (wanted: number) => {
    while (arrived < wanted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  server.script((exchange) => streamDeltas(exchange, deltas, taken));
  const thread = await createThread(target);
  const body = { content: "go on", model_id: MODEL };
  const path = `/threads/${thread}/turns`;
  const { uuid } = await callTarget<{ uuid: string }>(target, "POST", path, body);
  const { port, token } = target;
  const headers = { Authorization: `Bearer ${token}` };
  const url = `http://127.0.0.1:${port}/api/v1/turns/${uuid}/events`;
  const { body: events } = await fetch(url, { headers });
  for await (const bytes of events ?? []) {
    // A chunk may hold a part of an event; the words of each delta are in one part.
    arrived += Buffer.from(bytes).toString("latin1").split('"delta":"word').length - 1;
    wake();
  }
  return uuid;
}

function chunk(delta: object, finish_reason: string | null): string {
  return `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}
