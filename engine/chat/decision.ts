/** The user's answer to an approval request. */
export type Decision = "approved" | "denied";

/** Only the text `approve`, in any case, approves (Engine §3, chat turn). */
export function toDecision(value: unknown): Decision {
  return typeof value === "string" && /^approve$/i.test(value) ? "approved" : "denied";
}
