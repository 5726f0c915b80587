import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnJournal } from "../../engine/chat/journal.ts";
import type { Peer } from "../../engine/chat/peer.ts";
import { type ChatDeps, chatPorts } from "../../engine/chat/ports.ts";
import { startTurn } from "../../engine/chat/turn.ts";
import { openDatabase } from "../../engine/db/open.ts";
import { McpServers } from "../../engine/mcp/mcp-servers.ts";
import { Approvals } from "../../engine/turns/approvals.ts";
import { TurnRecord } from "../../engine/turns/record.ts";
import { createChatWorld } from "../../test/support/engine/chat.ts";
import { p50Of, type Row, race } from "../harness.ts";
import { CONTENT } from "./turns.ts";

const RATIO_MAX = 1.05;
const TURNS = 150;
const ROUNDS = 15;

/**
 * What its record costs a turn of a socket: the same turn in this process, on a database in a file, with its record and with
 * a journal that keeps nothing.
 */
export const turnRecordRow: Row = {
  name: "Echo turn with its record",
  figure: `p50 ≤ ${RATIO_MAX} of the turn without`,
  async measure() {
    await using turns = await openTurns();
    return [
      await race({
        ours: () => turns.p50(turns.recorded),
        floor: () => turns.p50(() => NO_RECORD),
        floorName: "without",
        ratioMax: RATIO_MAX,
        rounds: ROUNDS,
      }),
    ];
  },
};

async function openTurns() {
  await using resources = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "roundhouse-record-"));
  resources.defer(() => rmSync(folder, { recursive: true }));
  const { db } = resources.use(await openDatabase(join(folder, "engine.db")));
  const { test, workspaceUuid } = resources.use(await createChatWorld({ db }));
  const deps: ChatDeps = { ...test.deps, chat: chatPorts, mcp: new McpServers(test.deps) };
  const approvals = new Approvals(deps);
  const held = resources.move();
  return {
    recorded: () => new TurnRecord(deps, { source: "websocket", approvals, settle: () => false }),
    /** Of many turns in a new thread, one after the other, in milliseconds. */
    async p50(openJournal: () => TurnJournal): Promise<number> {
      const created = await test.call("POST", "/threads", { workspaceUuid });
      const { uuid } = (await created.json()) as { uuid: string };
      return p50Of(TURNS, () => runTurn(deps, uuid, openJournal()));
    },
    [Symbol.asyncDispose]: () => held[Symbol.asyncDispose](),
  };
}

function runTurn(deps: ChatDeps, thread: string, journal: TurnJournal): Promise<void> {
  return new Promise((resolve, reject) => {
    const peer: Peer = {
      send: ({ type, data }) => {
        if (type === "chat.error") reject(new Error(JSON.stringify(data)));
        if (type === "chat.done") resolve();
      },
      caughtUp: () => undefined,
      broadcast() {},
      uiTools: () => [],
    };
    const input = { content: CONTENT, thread_uuid: thread, tools_enabled: false };
    startTurn(deps, peer, { id: "turn", input, journal, onEnd() {} });
  });
}

const NO_RECORD: TurnJournal = {
  source: "websocket",
  beginning: () => [],
  begun() {},
  completion: () => [],
  async end() {},
  graph() {},
  tool() {},
  approvalRequested() {},
  approvalSettled() {},
  retry() {},
  used() {},
  omitted() {},
};
