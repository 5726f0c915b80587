import { p50Of, type Row, race } from "../harness.ts";
import { requestBytes } from "../http-load.ts";
import { KeepAlive } from "../keep-alive.ts";
import { createThread, startEngine, type Target } from "../processes.ts";
import { CONTENT, p50Alone, TURNS_ALONE } from "./turns.ts";

const RATIO_MAX = 1.5;

/** An echo turn over HTTP, from its POST to the end of its events, beside the same turn over a WebSocket. */
export const httpTurnRow: Row = {
  name: "Echo turn over HTTP",
  figure: `p50 ≤ ${RATIO_MAX} of the WebSocket turn`,
  async measure() {
    await using engine = await startEngine();
    return [
      await race({
        ours: () => p50OverHttp(engine),
        floor: () => p50Alone(engine),
        floorName: "WebSocket",
        ratioMax: RATIO_MAX,
      }),
    ];
  },
};

async function p50OverHttp(target: Target): Promise<number> {
  const thread = await createThread(target);
  using client = await KeepAlive.open(target.port);
  const body = JSON.stringify({ content: CONTENT, tools_enabled: false });
  const start = requestBytes("POST", `/threads/${thread}/turns`, { ...target, body }).toString();
  return await p50Of(TURNS_ALONE, async () => {
    const [, uuid] = /"uuid":"([^"]+)"/.exec(await client.ask(start)) ?? [];
    const events = await client.ask(
      requestBytes("GET", `/turns/${uuid}/events`, target).toString(),
    );
    if (!events.includes('"state":"completed"')) throw new Error(events);
  });
}
