// Loaded before the engine: its turns keep no record. The floor of what a record costs.
import type { TurnJournal } from "../../engine/chat/journal.ts";
import { TurnRecord } from "../../engine/turns/record.ts";

const nothing: Omit<TurnJournal, "source"> = {
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
Object.assign(TurnRecord.prototype, nothing);
