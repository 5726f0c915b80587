import { startProviderServer } from "../../test/support/providers/server.ts";
import { p50Of, type Row, race } from "../harness.ts";
import { requestBytes } from "../http-load.ts";
import { KeepAlive } from "../keep-alive.ts";
import { createThread, startEngine, type Target } from "../processes.ts";
import { configureModel, streamedTurn } from "../streamed-turn.ts";
import { CONTENT, p50Alone, TURNS_ALONE } from "./turns.ts";

const RATIO_MAX = 1.5;
const EVENTS = 10_000;
const REPLAYS = 15;
const REPLAY_MS_MAX = 50;

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

/** All events of a long turn, read by a client that has none of them. */
export const replayRow: Row = {
  name: "Replay of 10,000 events of a turn",
  figure: `p50 < ${REPLAY_MS_MAX} ms`,
  async measure() {
    await using server = await startProviderServer();
    await using engine = await startEngine();
    await configureModel(engine, server);
    const uuid = await streamedTurn(engine, server, EVENTS);
    using client = await KeepAlive.open(engine.port);
    const request = requestBytes("GET", `/turns/${uuid}/events`, engine).toString();
    let answer = "";
    const p50 = await p50Of(REPLAYS, async () => {
      answer = await client.ask(request);
    });
    const events = answer.split("\nevent: ").length - 1;
    return [
      {
        ours: `${p50.toFixed(1)} ms for ${events} events`,
        floor: "none",
        ratio: "-",
        reached: p50 < REPLAY_MS_MAX && events >= EVENTS,
      },
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
