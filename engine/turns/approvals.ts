import type { Decision } from "../chat/decision.ts";
import type { EngineDeps } from "../deps.ts";
import { conflict, notFound } from "../errors.ts";
import { isWithin } from "../events/deletions.ts";
import { APPROVALS_SETTLED_KEPT_MAX } from "./limits.ts";
import { toListed } from "./listed-approval.ts";
import type { Approval } from "./wire.ts";

/** Where the turn of an approval belongs. */
interface Place {
  threadUuid: string;
  workspaceUuid: string;
}

interface Request extends Place {
  approval: Approval;
  /** Returns whether the turn still waits. */
  settle(decision: Decision): boolean;
}

interface Waiting extends Request {
  listed: Approval;
}

/** The approvals that turns over HTTP wait for. Any client may answer; the first answer counts. */
export class Approvals {
  readonly #changes: EngineDeps["changes"];
  /** The oldest first, here and among the settled ones. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #settled = new Map<string, Place>();

  constructor({ changes, deletions }: Pick<EngineDeps, "changes" | "deletions">) {
    this.#changes = changes;
    deletions.subscribe((deleted) => {
      for (const approvals of [this.#waiting, this.#settled]) {
        for (const [uuid, place] of approvals) {
          if (isWithin(deleted, place)) approvals.delete(uuid);
        }
      }
    });
  }

  /** What waits now, with long arguments cut. */
  list(): Approval[] {
    return [...this.#waiting.values()].map(({ listed }) => listed);
  }

  /** What waits under this uuid, whole. @throws EngineError `not_found` */
  get(uuid: string): Approval {
    const waiting = this.#waiting.get(uuid);
    if (!waiting) throw notFound("Approval");
    return waiting.approval;
  }

  request(request: Request): void {
    const { uuid, turnUuid, threadUuid } = request.approval;
    // Now rather than for each list: many approvals may wait.
    this.#waiting.set(uuid, { ...request, listed: toListed(request.approval) });
    const data = { approvalUuid: uuid, turnUuid, threadUuid };
    this.#changes.publish({ type: "approval.requested", data });
  }

  /**
   * Answers an approval.
   * @throws EngineError `conflict` where it is settled already, `not_found` where it is unknown.
   */
  decide(uuid: string, decision: Decision): Approval {
    const waiting = this.#waiting.get(uuid);
    const isFirst = waiting?.settle(decision) === true;
    const settled = this.settle(uuid, isFirst ? decision : "expired");
    if (isFirst && settled) return settled;
    throw this.#settled.has(uuid)
      ? conflict("The approval is settled already.")
      : notFound("Approval");
  }

  /** Marks an approval as answered, or as expired with its turn. Undefined where it does not wait any more. */
  settle(uuid: string, state: Decision | "expired"): Approval | undefined {
    const waiting = this.#waiting.get(uuid);
    if (!waiting) return undefined;
    const { threadUuid, workspaceUuid } = waiting;
    this.#waiting.delete(uuid);
    this.#settled.set(uuid, { threadUuid, workspaceUuid });
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > APPROVALS_SETTLED_KEPT_MAX && oldest) this.#settled.delete(oldest);
    const approval: Approval = { ...waiting.approval, state };
    const data = { approvalUuid: uuid, turnUuid: approval.turnUuid, threadUuid, state };
    this.#changes.publish({ type: "approval.settled", data });
    return approval;
  }
}
