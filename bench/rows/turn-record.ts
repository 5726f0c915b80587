import { type Row, race } from "../harness.ts";
import { callTarget, startSources, type Target } from "../processes.ts";
import { p50Alone } from "./turns.ts";

const RATIO_MAX = 1.05;
const ROUNDS = 15;

/** What its record costs a turn over a WebSocket: the same engine, whose turns keep one or none in turn. */
export const turnRecordRow: Row = {
  name: "Echo turn with its record",
  figure: `p50 ≤ ${RATIO_MAX} of the turn without`,
  async measure() {
    await using engine = await startSources("floors/switched-record.ts");
    const measureAndSwitch = async () => {
      const p50 = await p50Alone(engine);
      await switchRecord(engine);
      return p50;
    };
    return [
      await race({
        ours: measureAndSwitch,
        floor: measureAndSwitch,
        floorName: "without",
        ratioMax: RATIO_MAX,
        rounds: ROUNDS,
      }),
    ];
  },
};

async function switchRecord(engine: Target): Promise<void> {
  process.kill(engine.pid, "SIGUSR2");
  // Answers that came behind the signal: it has arrived.
  for (let asked = 0; asked < 2; asked += 1) await callTarget(engine, "GET", "/status");
}
