import type { OnApproval } from "./chat.ts";
import type { Connection } from "./connection.ts";
import { sendUntilAnswered } from "./event-stream.ts";
import type { Approval } from "./wire.generated.ts";

/** What a handler decides. No handler, a failing one, and every answer but a clear yes deny. */
export async function decide(
  onApproval: OnApproval | undefined,
  ...[request, options]: Parameters<OnApproval>
): Promise<"approve" | "deny"> {
  try {
    const answer = await onApproval?.(request, options);
    return answer === "approve" || answer === true ? "approve" : "deny";
  } catch {
    return "deny";
  }
}

interface ApprovalsOptions {
  /** Undefined leaves them to other clients. */
  onApproval: OnApproval | undefined;
  /** Aborted when the turn is over. */
  over: () => AbortSignal;
}

/** The approvals of a turn over HTTP: each is answered once, unless another client was faster. */
export class TurnApprovals {
  readonly #connection: Connection;
  readonly #options: ApprovalsOptions;
  readonly #settled = new Map<string, AbortController>();

  constructor(connection: Connection, options: ApprovalsOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Takes the state of an approval. */
  take(approval: Approval): void {
    const known = this.#settled.get(approval.uuid);
    const settled = known ?? new AbortController();
    this.#settled.set(approval.uuid, settled);
    if (approval.state !== "waiting") settled.abort();
    else if (!known) void this.#answer(approval, settled.signal);
  }

  /** Asks what waits of a turn, where events were lost. */
  async catchUp(turnUuid: string, onMissed: (approval: Approval) => void): Promise<void> {
    const request = { method: "GET", path: "/approvals", signal: this.#options.over() };
    const text = await sendUntilAnswered(this.#connection, request);
    if (text === undefined || request.signal.aborted) return;
    const waiting: Approval[] = JSON.parse(text);
    const own = waiting.filter((approval) => approval.turnUuid === turnUuid);
    const isOwn = (uuid: string) => own.some((approval) => approval.uuid === uuid);
    for (const [uuid, settled] of this.#settled) if (!isOwn(uuid)) settled.abort();
    for (const listed of own) {
      if (this.#settled.has(listed.uuid)) continue;
      const approval = await this.#whole(listed);
      // Its event may have come meanwhile, or its answer.
      if (!approval || this.#settled.has(approval.uuid)) continue;
      onMissed(approval);
      this.take(approval);
    }
  }

  /** Undefined where it is settled by now, or the turn is over. */
  async #whole(listed: Approval): Promise<Approval | undefined> {
    if (!listed.argumentsTruncated) return listed;
    const path = `/approvals/${listed.uuid}`;
    const request = { method: "GET", path, signal: this.#options.over() };
    const text = await sendUntilAnswered(this.#connection, request);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async #answer(approval: Approval, settled: AbortSignal): Promise<void> {
    const { onApproval, over } = this.#options;
    if (!onApproval) return;
    const signal = AbortSignal.any([settled, over()]);
    const decision = await decide(onApproval, approval, { signal });
    const path = `/approvals/${approval.uuid}`;
    const body = JSON.stringify({ decision });
    await sendUntilAnswered(this.#connection, { method: "POST", path, body, signal });
  }
}
