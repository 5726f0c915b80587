import { onAbort } from "../../shared/on-abort.ts";
import { TurnApprovals } from "./approvals.ts";
import type { ChatDeps, ChatEvent, ChatInput, ChatResult, FollowOptions } from "./chat.ts";
import { toChatEvent } from "./chat-event.ts";
import type { Connection } from "./connection.ts";
import { followEvents, sendUntilAnswered } from "./event-stream.ts";
import { LAST_READ_WAIT_MS, TURN_PATIENCE_MS } from "./limits.ts";
import { RunningTurn } from "./running-turn.ts";
import { parseData } from "./server-sent-events.ts";
import type { Approval, SnapshotTurnEvent, Turn } from "./wire.generated.ts";

/** Starts a turn over HTTP. @throws EngineError if the engine refuses it. */
export function beginTurn(
  { operations }: ChatDeps,
  { threadUuid, workspaceUuid = "", ...input }: ChatInput,
): Promise<Turn> {
  return threadUuid === undefined
    ? operations.startWorkspaceTurn(workspaceUuid, input)
    : operations.startThreadTurn(threadUuid, input);
}

/**
 * Follows a turn over HTTP to its end, also over lost connections and restarts of the engine.
 * @throws TurnCancelled, TurnFailed, or EngineError if the turn or the engine cannot be reached.
 */
export async function followTurn(
  { connection, operations }: ChatDeps,
  begin: () => Promise<Turn>,
  { signal, onApproval }: FollowOptions,
  emit: (event: ChatEvent) => void,
): Promise<ChatResult> {
  const turn = new RunningTurn(signal, emit);
  try {
    const begun = await untilAbandoned(begin(), turn, ({ uuid }) => {
      operations.cancelTurn(uuid).catch(() => {});
    });
    const { uuid } = begun;
    turn.emit({ type: "begin", turn: begun });
    turn.onCancel(() => {
      const path = `/turns/${uuid}/cancel`;
      void sendUntilAnswered(connection, { method: "POST", path, signal: turn.over });
    });
    const approvals = new TurnApprovals(connection, { onApproval, over: () => turn.over });
    const ended = await untilEnd(connection, { uuid, turn }, (event, data) => {
      if (event === "approval") approvals.take(data as Approval);
      if (event === "snapshot") {
        turn.replaceText((data as SnapshotTurnEvent["data"]).text);
        void approvals.catchUp(uuid, (approval) => turn.emit({ type: "approval", ...approval }));
      } else turn.emit(toChatEvent(event, data));
    });
    if (ended) return turn.toResult(ended);
    connection.until(undefined).throwIfAborted();
    throw turn.cancelled();
  } finally {
    turn.end();
  }
}

/**
 * Takes the events of a turn. Resolves with the data of `end`, or with undefined if the turn is abandoned or the client closed.
 * Reads the stream to its own end, since cancelling it would close a connection that the next request can use.
 */
function untilEnd(
  connection: Connection,
  { uuid, turn }: { uuid: string; turn: RunningTurn },
  take: (event: string, data: unknown) => void,
): Promise<Turn | undefined> {
  const path = (lastId: string) => `/turns/${uuid}/events?after=${lastId || 0}`;
  const stream = { path, signal: turn.abandoned, patienceMs: TURN_PATIENCE_MS, lastEvent: "end" };
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (ended: Turn) => {
      timer = setTimeout(() => turn.abandon(), LAST_READ_WAIT_MS);
      resolve(ended);
    };
    const read = async () => {
      for await (const event of followEvents(connection, stream)) {
        if (event === "gap") continue;
        const data = parseData(event.data);
        if (event.event === "end") end(data as Turn);
        else take(event.event, data);
      }
    };
    read()
      .finally(() => clearTimeout(timer))
      .then(() => resolve(undefined), reject);
  });
}

/** Waits for the start of a cancelled turn, since the engine may start it, until the turn is abandoned. */
function untilAbandoned(begun: Promise<Turn>, turn: RunningTurn, onLate: (late: Turn) => void) {
  return new Promise<Turn>((resolve, reject) => {
    const removeListener = onAbort(turn.abandoned, () => {
      reject(turn.cancelled());
      begun.then(onLate, () => {});
    });
    begun.then(resolve, reject).finally(removeListener);
  });
}
