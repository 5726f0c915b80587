import { setTimeout as delay } from "node:timers/promises";
import { startProviderServer } from "../../test/support/providers/server.ts";
import { median, ROUNDS, type Row } from "../harness.ts";
import { residentMib, startEngine } from "../processes.ts";
import { configureModel, MODEL, scriptAnswer } from "../streamed-turn.ts";
import { openChat } from "./turns.ts";

const TURNS = 2_000;
const CONNECTIONS = 10;
const TURNS_OF_A_THREAD = 10;
const DELTAS = 40;
const IDLE_AFTER_MS = 1_500;
const RATIO_MAX = 2.5;

/**
 * Resident memory after streamed turns over WebSockets, beside that of the same process before them. Of several processes: when
 * the heap was collected last makes 12 MiB.
 */
export const turnMemoryRow: Row = {
  name: "Memory after 2,000 streamed turns",
  figure: `≤ ${RATIO_MAX} of idle`,
  async measure() {
    const measured: Memory[] = [];
    for (let round = 0; round < ROUNDS; round += 1) measured.push(await measureOnce());
    const ratio = median(measured.map(({ after, idle }) => after / idle));
    return [
      {
        ours: `${median(measured.map(({ after }) => after)).toFixed(0)} MiB`,
        floor: `${median(measured.map(({ idle }) => idle)).toFixed(0)} MiB idle`,
        ratio: ratio.toFixed(2),
        reached: ratio <= RATIO_MAX,
      },
    ];
  },
};

interface Memory {
  idle: number;
  after: number;
}

async function measureOnce(): Promise<Memory> {
  await using server = await startProviderServer();
  await using engine = await startEngine();
  await delay(IDLE_AFTER_MS);
  const idle = residentMib(engine.pid);
  await configureModel(engine, server);
  let left = TURNS;
  const runTurns = async () => {
    while (left > 0) {
      const chat = await openChat(engine, { model_id: MODEL });
      for (let turn = 0; turn < TURNS_OF_A_THREAD && left > 0; turn += 1) {
        left -= 1;
        scriptAnswer(server, DELTAS);
        await chat.turn();
      }
      chat.close();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, runTurns));
  return { idle, after: residentMib(engine.pid) };
}
