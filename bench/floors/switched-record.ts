// Loaded before the engine: SIGUSR2 switches whether its turns keep a record. The floor of what a record costs, in the same
// process: two processes of one program differ by more than that.
import type { TurnJournal } from "../../engine/chat/journal.ts";
import { TurnRecord } from "../../engine/turns/record.ts";

const nothing: Omit<TurnJournal, "source" | "uuid"> = {
  beginning: () => null,
  begun() {},
  ending: () => null,
  async end() {},
  graph() {},
  tool() {},
  approvalRequested() {},
  approvalSettled() {},
  retry() {},
  used() {},
  omitted() {},
};

const names = Object.keys(nothing) as (keyof typeof nothing)[];
const { prototype } = TurnRecord;
const whole = Object.fromEntries(names.map((name) => [name, prototype[name]]));
let keeps = true;

process.on("SIGUSR2", () => {
  keeps = !keeps;
  Object.assign(prototype, keeps ? whole : nothing);
});
