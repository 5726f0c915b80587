/**
 * Who may have a code mailed, and whose attempts a guess uses. Strangers can ask and guess as well as the owner, so each
 * client has a share that no other client can use up. The numbers are in limits.ts.
 */

/** Which limits a request for a code is within. */
export interface AskLimits {
  /** `codePerIp` and `codePerNetwork`: of the client, over all addresses. */
  client: boolean;
  /** `codePerEmailMinute`: of the address. */
  minute: boolean;
  /** `codePerEmailAndNetwork`: the share of this network, which others cannot use up. */
  share: boolean;
  /** `codePerEmailHour` and `codePerEmailDay`: of the address. */
  repeats: boolean;
  /** `codePerEmailDayEverywhere`: of the address, or the network of a live session asks. */
  everywhere: boolean;
}

/**
 * `mail`: a new code goes out; codes that others asked for stay valid. `join`: no mail, but the client gets attempts of its
 * own at the code that was mailed within this minute. `none`: no code is mailed or stored.
 */
export function decideAsk(within: AskLimits): "mail" | "join" | "none" {
  const { client, minute, share, repeats, everywhere } = within;
  if (!client || !everywhere) return "none";
  if (minute && (share || repeats)) return "mail";
  return share ? "join" : "none";
}

/** A code that can still be entered, and the client that asked for it. */
export interface PendingCode {
  asker: string | null;
}

/**
 * `own`: the client asked for a code, and has the attempts of that code. `shared`: others asked, and all who did not ask
 * share the attempts of a day. `client`: no code is pending, so the guess counts against the client alone.
 */
export function decideBudget(
  pending: readonly PendingCode[],
  asker: string,
): "own" | "shared" | "client" {
  if (pending.length === 0) return "client";
  return pending.some((code) => code.asker === asker) ? "own" : "shared";
}
