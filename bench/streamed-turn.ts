import type { ProviderServer } from "../test/support/providers/server.ts";
import { callTarget, type Target } from "./processes.ts";

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

/** The next answer of the server has so many deltas, as fast as they are read. */
export function scriptAnswer(server: ProviderServer, deltas: number): void {
  server.script(async (exchange) => {
    exchange.head(200, { "content-type": "text/event-stream" });
    for (let sent = 0; sent < deltas; sent += DELTAS_AT_ONCE) {
      const some = Array.from({ length: Math.min(DELTAS_AT_ONCE, deltas - sent) }, (_, more) =>
        chunk({ content: `word ${sent + more} ` }, null),
      );
      await exchange.write(some.join(""));
    }
    await exchange.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
    exchange.end();
  });
}

function chunk(delta: object, finish_reason: string | null): string {
  return `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}
