import { connect, type EngineClient } from "../../engine/client/node.ts";
import { startEngineProcess } from "../../test/support/engine/process.ts";
import { p50Of, type Row, race } from "../harness.ts";
import { createThread, type Target } from "../processes.ts";
import { CONTENT, TURNS_ALONE } from "./turns.ts";

const RATIO_MAX = 1.3;
// Short rounds: the two of a pair meet the same machine.
const ROUNDS = 75;
const TURNS_A_ROUND = 20;

type Connected = Target & { dataDirectory: string };
type Work = () => Promise<void>;

/** An echo turn through the typed client, beside the same requests by `fetch` alone. */
export const clientTurnRow: Row = {
  name: "Echo turn through the client",
  figure: `p50 ≤ ${RATIO_MAX} of the raw HTTP turn`,
  async measure() {
    await using engine = await startConnected();
    await using client = await connect({ dataDirectory: engine.dataDirectory });
    const ours = await turnByClient(engine, client);
    const floor = await turnByFetch(engine);
    for (const turn of [ours, floor]) await p50Of(TURNS_ALONE, turn);
    return [
      await race({
        ours: () => p50Of(TURNS_A_ROUND, ours),
        floor: () => p50Of(TURNS_A_ROUND, floor),
        floorName: "fetch",
        ratioMax: RATIO_MAX,
        rounds: ROUNDS,
      }),
    ];
  },
};

async function startConnected(): Promise<Connected> {
  const engine = await startEngineProcess();
  const { port, token, pid } = engine.runtime;
  const { dataDirectory } = engine;
  return {
    pid,
    port,
    token,
    dataDirectory,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

async function turnByClient(engine: Connected, client: EngineClient): Promise<Work> {
  const threadUuid = await createThread(engine);
  return async () => {
    let text = "";
    const turn = client.chat({ threadUuid, content: CONTENT, toolsEnabled: false });
    for await (const event of turn) if (event.type === "text") text += event.delta;
    requireContent(text);
  };
}

/** What a writer of clients writes first: no reconnecting, and no names but those of the wire. */
async function turnByFetch({ port, token, ...engine }: Connected): Promise<Work> {
  const base = `http://127.0.0.1:${port}/api/v1`;
  const headers = { Authorization: `Bearer ${token}` };
  const thread = await createThread({ port, token, ...engine });
  const body = JSON.stringify({ content: CONTENT, tools_enabled: false });
  return async () => {
    const started = await fetch(`${base}/threads/${thread}/turns`, {
      method: "POST",
      headers,
      body,
    });
    const { uuid } = (await started.json()) as { uuid: string };
    const events = await fetch(`${base}/turns/${uuid}/events`, { headers });
    let rest = "";
    let text = "";
    for await (const piece of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + piece).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        if (!block.includes("event: model.delta")) continue;
        text += JSON.parse(block.slice(block.indexOf("data: ") + 6)).delta;
      }
    }
    requireContent(text);
  };
}

function requireContent(text: string): void {
  if (!text.includes(CONTENT)) throw new Error("The turn has another text.");
}
