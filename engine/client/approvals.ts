import type { OnApproval } from "./chat.ts";
import type { Connection } from "./connection.ts";
import { sendUntilAnswered } from "./event-stream.ts";
import type { Approval } from "./wire.generated.ts";

/** The decision of a handler: denied without a handler, if it fails, and unless it clearly approves. */
export async function decide(
  onApproval: OnApproval | undefined,
  ...[request, options]: Parameters<OnApproval>
): Promise<Decided> {
  try {
    const answer = await onApproval?.(request, options);
    const { decision, remember }: { decision?: unknown; remember?: unknown } = Object(answer);
    const isApproved = answer === true || answer === "approve" || decision === "approve";
    return { decision: isApproved ? "approve" : "deny", ...(remember ? { remember } : {}) };
  } catch {
    return { decision: "deny" };
  }
}

interface Decided {
  decision: "approve" | "deny";
  remember?: unknown;
}

/** The approvals of a turn over HTTP: each is answered once, unless another client was faster. */
export class TurnApprovals {
  readonly #connection: Connection;
  readonly #onApproval: OnApproval | undefined;
  readonly #over: AbortSignal;
  /** Aborted once the approval is answered or has expired. */
  readonly #ends = new Map<string, AbortController>();

  /** Without `onApproval` they are left to other clients. `over` is aborted with the turn. */
  constructor(connection: Connection, onApproval: OnApproval | undefined, over: AbortSignal) {
    this.#connection = connection;
    this.#onApproval = onApproval;
    this.#over = over;
  }

  /** Takes the state of an approval. */
  take(approval: Approval): void {
    const known = this.#ends.get(approval.uuid);
    const end = known ?? new AbortController();
    this.#ends.set(approval.uuid, end);
    if (approval.state !== "waiting") end.abort();
    else if (!known) void this.#answer(approval, end.signal);
  }

  /** Reads which approvals wait, after events were lost. */
  async catchUp(turnUuid: string, onMissed: (approval: Approval) => void): Promise<void> {
    const request = { method: "GET", path: "/approvals", signal: this.#over };
    const text = await sendUntilAnswered(this.#connection, request);
    if (text === undefined || request.signal.aborted) return;
    const waiting: Approval[] = JSON.parse(text);
    const own = waiting.filter((approval) => approval.turnUuid === turnUuid);
    const isOwn = (uuid: string) => own.some((approval) => approval.uuid === uuid);
    for (const [uuid, end] of this.#ends) if (!isOwn(uuid)) end.abort();
    for (const listed of own) {
      if (this.#ends.has(listed.uuid)) continue;
      const approval = await this.#whole(listed);
      // Its event may have come meanwhile, or its answer.
      if (!approval || this.#ends.has(approval.uuid)) continue;
      onMissed(approval);
      this.take(approval);
    }
  }

  /** Undefined if it has ended by now, or the turn has. */
  async #whole(listed: Approval): Promise<Approval | undefined> {
    if (!listed.argumentsTruncated) return listed;
    const path = `/approvals/${listed.uuid}`;
    const request = { method: "GET", path, signal: this.#over };
    const text = await sendUntilAnswered(this.#connection, request);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async #answer(approval: Approval, ended: AbortSignal): Promise<void> {
    if (!this.#onApproval) return;
    const signal = AbortSignal.any([ended, this.#over]);
    const decided = await decide(this.#onApproval, approval, { signal });
    const path = `/approvals/${approval.uuid}`;
    const send = (body: Decided) => {
      const request = { method: "POST", path, body: JSON.stringify(body), signal };
      return sendUntilAnswered(this.#connection, request);
    };
    const answer = await send(decided);
    // What cannot be remembered is not approved either, and the turn does not wait.
    if (answer === undefined && decided.remember) await send({ decision: "deny" });
  }
}
