import { type Row, race } from "../harness.ts";
import { startSources } from "../processes.ts";
import { p50Alone } from "./turns.ts";

const RATIO_MAX = 1.05;
const ROUNDS = 15;

/** What its record costs a turn over a WebSocket: the same engine beside one whose turns keep none. */
export const turnRecordRow: Row = {
  name: "Echo turn with its record",
  figure: `p50 ≤ ${RATIO_MAX} of the turn without`,
  async measure() {
    await using recorded = await startSources();
    await using unrecorded = await startSources("floors/no-record.ts");
    return [
      await race({
        ours: () => p50Alone(recorded),
        floor: () => p50Alone(unrecorded),
        floorName: "without",
        ratioMax: RATIO_MAX,
        rounds: ROUNDS,
      }),
    ];
  },
};
