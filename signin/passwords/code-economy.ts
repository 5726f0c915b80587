/**
 * Decides whether a code is mailed, and whose attempts a guess uses. Strangers can request and guess codes as the owner can,
 * so each client has a share that no other client can use up. The numbers are in limits.ts.
 */

/** The limits that a request for a code is within. */
export interface AskLimits {
  /** `codePerIp` and `codePerNetwork`: of the client, over all addresses. */
  client: boolean;
  /** `codePerEmailMinute`: of the address. */
  minute: boolean;
  /** `codePerEmailAndNetwork`: the share of this network, which others cannot use up. */
  share: boolean;
  /** `codePerEmailHour` and `codePerEmailDay`: of the address. */
  repeats: boolean;
  /** `codePerEmailDayEverywhere`: of the address. A client in the network of a live session is exempt. */
  everywhere: boolean;
}

/**
 * `mail`: a new code is mailed; codes that other clients requested stay valid. `join`: no mail, but the client gets its own
 * attempts at the code that was mailed within this minute. `none`: no code is mailed or stored.
 */
export function decideAsk(within: AskLimits): "mail" | "join" | "none" {
  const { client, minute, share, repeats, everywhere } = within;
  if (!client || !everywhere) return "none";
  if (minute && (share || repeats)) return "mail";
  return share ? "join" : "none";
}

/** A pending code, and the client that requested it. */
interface PendingCode {
  asker: string | null;
}

/**
 * `own`: the client requested a code, and has the attempts of that code. `shared`: other clients requested one, and all
 * clients without their own share the attempts of a day. `client`: no code is pending; the guess counts for the client alone.
 */
export function decideBudget(
  pending: readonly PendingCode[],
  asker: string,
): "own" | "shared" | "client" {
  if (pending.length === 0) return "client";
  return pending.some((code) => code.asker === asker) ? "own" : "shared";
}
