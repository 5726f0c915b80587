import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import { toIsoTime } from "../../shared/clock.ts";
import type { DeletedRows } from "../db/deleted-rows.ts";
import type { EngineDeps } from "../deps.ts";
import { EngineError, orNotFound } from "../errors.ts";
import type { MessagePlace } from "../messages/store.ts";
import { Semaphore } from "../semaphore.ts";
import { findThread } from "../threads/store.ts";
import { type ThreadInWorkspace, toThreadCreated } from "../threads/wire.ts";
import { copyMessages } from "./copy-store.ts";
import { FORKS_AT_ONCE_MAX } from "./limits.ts";
import { insertHidden, showStatements } from "./store.ts";

interface ForkRequest {
  origin: ThreadInWorkspace;
  /** The last message that is copied; undefined if none is. */
  through: MessagePlace | undefined;
  title?: string | null | undefined;
  /** The user message in whose place another one comes. */
  replacedMessageUuid?: string | undefined;
}

/** A copy that nothing finds yet. Its disposal lets it be removed, unless it is shown. */
interface HiddenCopy extends Disposable {
  /** The thread, as it is once it is shown. */
  thread: ThreadInWorkspace;
  /** What shows it, for a batch of the caller: the last statements of the copy. No effect if the origin was deleted. */
  show(replacementMessageUuid: string | null): InStatement[];
}

interface ForkDeps extends Pick<EngineDeps, "db" | "clock" | "events"> {
  deletedRows: DeletedRows;
  /** Called when messages were copied, which no event names. */
  onCopied(): void;
}

/**
 * Copies of threads. One is made as a thread that is deleted: hidden, in slices of one small commit each, so that requests are
 * served in between. What is unfinished when the process ends is removed by the next start, as every deleted thread is.
 */
export class Forks {
  readonly #deps: ForkDeps;
  readonly #room = new Semaphore(FORKS_AT_ONCE_MAX);
  readonly #stopping = new AbortController();

  constructor(deps: ForkDeps) {
    this.#deps = deps;
  }

  /** Ends the copies that are being made. */
  stop(): void {
    this.#stopping.abort(new EngineError("stopping"));
  }

  /**
   * Copies a thread and shows the copy.
   * @throws EngineError `not_found` if the thread is deleted meanwhile; the reason of the signal
   */
  async fork(request: ForkRequest, signal: AbortSignal): Promise<ThreadInWorkspace> {
    const { db, events } = this.#deps;
    using copy = await this.copy(request, signal);
    const batch = new Batch();
    for (const statement of copy.show(null)) batch.add(statement);
    await batch.run(db);
    const thread = orNotFound(await findThread(db, copy.thread.uuid), "Thread");
    events.publish(toThreadCreated(thread));
    return thread;
  }

  /** Makes a hidden copy. @throws EngineError `not_found`; the reason of the signal */
  async copy(request: ForkRequest, signal: AbortSignal): Promise<HiddenCopy> {
    const { db, clock, deletedRows, onCopied } = this.#deps;
    const { origin, through, title = null, replacedMessageUuid } = request;
    const until = AbortSignal.any([signal, this.#stopping.signal]);
    using _room = await this.#room.acquire();
    until.throwIfAborted();
    const uuid = crypto.randomUUID();
    const ownerUuid = crypto.randomUUID();
    const now = toIsoTime(clock.now());
    const isVersion = replacedMessageUuid !== undefined;
    using holding = new DisposableStack();
    holding.use(deletedRows.hold(ownerUuid));
    const hidden = { uuid, ownerUuid, originUuid: origin.uuid, title, isVersion, now };
    const forkId = orNotFound(await insertHidden(db, hidden), "Thread");
    if (through) {
      await copyMessages(db, { originId: origin.id, forkId, last: through }, until);
      onCopied();
    }
    const thread = { ...origin, id: forkId, uuid, title: title ?? origin.title };
    const held = holding.move();
    return {
      thread: { ...thread, createdAt: now, updatedAt: now },
      show: (replacementMessageUuid) =>
        showStatements({
          uuid,
          originUuid: origin.uuid,
          throughMessageUuid: through?.uuid ?? null,
          replacedMessageUuid: replacedMessageUuid ?? null,
          replacementMessageUuid,
          now,
        }),
      [Symbol.dispose]: () => held.dispose(),
    };
  }
}
