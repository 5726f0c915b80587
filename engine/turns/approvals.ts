import { BoundedMap } from "../../shared/bounded-map.ts";
import { utf8 } from "../../shared/bytes.ts";
import { onAbort } from "../../shared/on-abort.ts";
import type { Decision } from "../chat/journal.ts";
import { cutToBytes, cutWithNotice } from "../cut-text.ts";
import type { EngineDeps } from "../deps.ts";
import { conflict, type EngineError, invalid, notFound } from "../errors.ts";
import { isDeletionOf } from "../events/change.ts";
import { findRefusal, type GrantableCall } from "../grants/grant.ts";
import { deleteGrant, insertGrant } from "../grants/store.ts";
import type { Remember } from "../grants/wire.ts";
import { Semaphore } from "../semaphore.ts";
import {
  APPROVAL_LISTED_BYTES_MAX,
  APPROVAL_LISTED_NAMES_MAX,
  APPROVALS_ENDED_KEPT_MAX,
} from "./limits.ts";
import type { Approval } from "./wire.ts";

interface Place {
  threadUuid: string;
  workspaceUuid: string;
}

interface Request {
  approval: Approval;
  place: Place;
  /** Whether every client may see and answer it; otherwise only the socket of its turn may. */
  isPublic: boolean;
  /** Aborts with the turn. */
  signal: AbortSignal;
  /** What the answer may be remembered for; undefined for a UI tool, and for arguments that do not fit. */
  call: GrantableCall | undefined;
}

interface Waiting extends Request {
  listed: Approval;
  resolve(decision: Decision): void;
  /** One decision at a time: that with a grant takes a while. */
  deciding: Semaphore;
}

type ApprovalDeps = Pick<EngineDeps, "db" | "clock" | "changes">;

/** The approvals that turns wait for. The first answer counts. */
export class Approvals {
  readonly #deps: ApprovalDeps;
  /** The oldest first. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended = new BoundedMap<string, { place: Place }>(APPROVALS_ENDED_KEPT_MAX);

  constructor(deps: ApprovalDeps) {
    this.#deps = deps;
    deps.changes.subscribe((change) => {
      for (const approvals of [this.#waiting, this.#ended]) {
        for (const [uuid, { place }] of approvals) {
          if (isDeletionOf(change, place)) approvals.delete(uuid);
        }
      }
    });
  }

  /** The public ones that wait now, with long arguments cut. */
  list(): Approval[] {
    return [...this.#waiting.values()].flatMap(({ isPublic, listed }) => (isPublic ? listed : []));
  }

  /** A public one that waits, whole. @throws EngineError `not_found` */
  get(uuid: string): Approval {
    const waiting = this.#waiting.get(uuid);
    if (!waiting?.isPublic) throw notFound("Approval");
    return waiting.approval;
  }

  /** Resolves with the first answer. @throws the reason of the signal: then the approval has expired. */
  wait(request: Request): Promise<Decision> {
    const { approval, signal } = request;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const removeListener = onAbort(signal, () => {
        if (this.#waiting.has(approval.uuid)) this.#end(waiting, "expired");
        reject(signal.reason);
      });
      const waiting: Waiting = {
        ...request,
        // Now rather than for each list: many approvals may wait.
        listed: toListed(approval),
        deciding: new Semaphore(1),
        resolve: (decision: Decision) => {
          removeListener();
          resolve(decision);
        },
      };
      this.#waiting.set(approval.uuid, waiting);
    });
  }

  /** Publishes that a public approval waits, unless it has ended by now. */
  announce({ uuid, turnUuid, threadUuid }: Approval): void {
    if (!this.#waiting.get(uuid)?.isPublic) return;
    const data = { approvalUuid: uuid, turnUuid, threadUuid };
    this.#deps.changes.publish({ type: "approval.requested", data });
  }

  /** Answers an approval of a turn. Returns whether the turn waits for it. */
  answer(turnUuid: string, uuid: string, decision: Decision): boolean {
    const waiting = this.#waiting.get(uuid);
    if (waiting?.approval.turnUuid !== turnUuid) return false;
    this.#end(waiting, decision);
    return true;
  }

  /**
   * Answers a public approval. What is to be remembered is stored before the turn goes on.
   * @throws EngineError `conflict` if it was answered or has expired, `not_found` if it is unknown; `invalid` if it cannot be
   * remembered: then it waits on.
   */
  async decide(uuid: string, decision: Decision, remember?: Remember | null): Promise<Approval> {
    using _decides = await this.#waiting.get(uuid)?.deciding.acquire();
    const waiting = this.#waiting.get(uuid);
    if (!waiting?.isPublic) throw this.#settled(uuid);
    if (!remember) return this.#end(waiting, decision);
    const call = requireRememberable(waiting, decision, remember);
    const grant = await insertGrant(this.#deps, call, remember);
    if (this.#waiting.get(uuid) === waiting) return this.#end(waiting, decision);
    // The turn ended meanwhile.
    await deleteGrant(this.#deps, grant);
    throw this.#settled(uuid);
  }

  #settled(uuid: string): EngineError {
    return this.#ended.has(uuid)
      ? conflict("The approval is already settled.")
      : notFound("Approval");
  }

  #end(waiting: Waiting, state: Decision | "expired"): Approval {
    const { place, isPublic } = waiting;
    const approval: Approval = { ...waiting.approval, state };
    const { uuid, turnUuid, threadUuid } = approval;
    this.#waiting.delete(uuid);
    if (state !== "expired") waiting.resolve(state);
    if (!isPublic) return approval;
    this.#ended.set(uuid, { place });
    const data = { approvalUuid: uuid, turnUuid, threadUuid, state };
    this.#deps.changes.publish({ type: "approval.settled", data });
    return approval;
  }
}

/** @throws EngineError `invalid` if this decision is not for further calls */
function requireRememberable(
  { call, approval: { threadUuid } }: Waiting,
  decision: Decision,
  { match }: Remember,
) {
  const refusal =
    decision === "denied"
      ? "Only an approval is remembered."
      : call
        ? findRefusal(call, match)
        : "Such a call needs approval each time.";
  if (!call || refusal) throw invalid("This cannot be remembered.", `remember: ${refusal}`);
  return { ...call, threadUuid };
}

/**
 * An approval as it is listed. A long string is cut to at most half of the remaining bytes, so that a path behind a
 * content has room; any other value that does not fit is left out.
 */
function toListed(approval: Approval): Approval {
  if (sizeOf(approval.arguments) <= APPROVAL_LISTED_BYTES_MAX) return approval;
  const listed: [string, unknown][] = [];
  let left = APPROVAL_LISTED_BYTES_MAX;
  for (const name of Object.keys(approval.arguments).slice(0, APPROVAL_LISTED_NAMES_MAX)) {
    const value = approval.arguments[name];
    const shown = typeof value === "string" ? cutToJson(value, Math.floor(left / 2)) : value;
    const size = sizeOf({ [name]: shown });
    if (size > left) continue;
    listed.push([name, shown]);
    left -= size;
  }
  return { ...approval, arguments: Object.fromEntries(listed), argumentsTruncated: true };
}

/** Cuts a text to so many bytes of JSON, without the notice of the cut. */
function cutToJson(text: string, bytesMax: number): string {
  let max = bytesMax;
  // One byte may take six as JSON.
  while (sizeOf(cutToBytes(text, max)) > bytesMax && max > 0) max = Math.floor(max * 0.8);
  return cutWithNotice(text, max);
}

function sizeOf(value: unknown): number {
  return utf8(JSON.stringify(value)).length;
}
