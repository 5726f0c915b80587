import { onAbort } from "../../shared/on-abort.ts";
import { TurnApprovals } from "./approvals.ts";
import type { ChatDeps, ChatEvent, ChatInput, ChatResult, FollowOptions } from "./chat.ts";
import { EngineNotRunning } from "./errors.ts";
import { followEvents, sendUntilAnswered } from "./event-stream.ts";
import { RunningTurn, toChatEvent } from "./running-turn.ts";
import { parseData } from "./server-sent-events.ts";
import type { Approval, SnapshotTurnEvent, Turn } from "./wire.generated.ts";

/** Starts a turn over HTTP. @throws EngineError if the engine refuses it. */
export function beginTurn(
  { operations }: ChatDeps,
  { threadUuid, workspaceUuid = "", content, ...input }: ChatInput,
): Promise<Turn> {
  if (threadUuid !== undefined)
    return operations.startThreadTurn(threadUuid, { content, ...input });
  return operations.startWorkspaceTurn(workspaceUuid, { content: content ?? "", ...input });
}

/**
 * Follows a turn over HTTP to its end, also over lost connections and restarts of the engine.
 * @throws TurnCancelled, TurnFailed, or EngineError if the engine refuses the turn or cannot be reached for it.
 */
export async function followTurn(
  { connection, operations, reconnectMs }: ChatDeps,
  begin: () => Promise<Turn>,
  { signal, onApproval }: FollowOptions,
  emit: (event: ChatEvent) => void,
): Promise<ChatResult> {
  const turn = new RunningTurn(signal, emit);
  try {
    const begun = await untilOver(begin(), turn, ({ uuid }) => {
      operations.cancelTurn(uuid).catch(() => {});
    });
    const { uuid } = begun;
    turn.emit({ type: "begin", turn: begun });
    turn.onCancel(() => {
      const path = `/turns/${uuid}/cancel`;
      void sendUntilAnswered(connection, { method: "POST", path, signal: turn.over });
    });
    const approvals = new TurnApprovals(connection, onApproval, turn.over);
    const events = followEvents(connection, {
      path: (lastId) => `/turns/${uuid}/events?after=${lastId || 0}`,
      signal: turn.over,
      patienceMs: reconnectMs,
      onAway: (absence) => turn.emit({ type: "reconnecting", ...absence }),
    });
    for await (const read of events) {
      if (read === "gap") continue;
      const { event } = read;
      const data = parseData(read.data);
      if (event === "end") return turn.toResult(data as Turn);
      if (event === "approval") approvals.take(data as Approval);
      if (event === "snapshot") {
        turn.replaceText((data as SnapshotTurnEvent["data"]).text);
        void approvals.catchUp(uuid, (approval) => turn.emit({ type: "approval", ...approval }));
      } else turn.emit(toChatEvent(event, data));
    }
    connection.until(undefined).throwIfAborted();
    throw turn.cancelled();
  } catch (error) {
    // A call that never began a turn rejects with the error itself.
    if (!(error instanceof EngineNotRunning) || !turn.hasBegun) throw error;
    throw turn.failed("The engine was away for too long.", error);
  } finally {
    turn.end();
  }
}

/** Waits for the start of a cancelled turn, too, since the engine may start it, until the turn is over. */
function untilOver(begun: Promise<Turn>, turn: RunningTurn, onLate: (late: Turn) => void) {
  return new Promise<Turn>((resolve, reject) => {
    const removeListener = onAbort(turn.over, () => {
      reject(turn.cancelled());
      begun.then(onLate, () => {});
    });
    begun.then(resolve, reject).finally(removeListener);
  });
}
