import { parseJson } from "../json.ts";

/** Why a server refused a request. */
export interface Failure {
  status: number;
  message: string;
  details: string | undefined;
  /** The stable name of the failure, if the server has one. */
  code: string | undefined;
  /** The seconds of `Retry-After`. */
  retryAfterSec: number | undefined;
  /** How the account can be proven, where the sign-in server asks for that. */
  ways: readonly string[] | undefined;
}

/** The failure that a response carries: an Error body, or problem details (RFC 9457); `who` answered. */
export async function readFailure(response: Response, who: string): Promise<Failure> {
  const { status } = response;
  const body = Object(parseJson(await response.text().catch(() => "")));
  const message = [body.error, body.detail, body.title].find((text) => typeof text === "string");
  const details = typeof body.details === "string" ? body.details : undefined;
  const code = typeof body.code === "string" ? body.code : undefined;
  const retryAfterSec = Number(response.headers.get("retry-after")) || undefined;
  return {
    status,
    message: String(message ?? describe(response, who)),
    details,
    code,
    retryAfterSec,
    ways: Array.isArray(body.ways) ? body.ways.map(String) : undefined,
  };
}

/** Why a request got no response, as its platform says it: Node has the reason in the cause. Without a full stop. */
export function reasonOf(error: unknown): string {
  const [{ cause, message }, own] = [Object(error), Object(Object(error).cause)];
  const reason = own.message || own.code || message || String(cause ?? error);
  return String(reason).replace(/\.$/, "");
}

function describe({ status, type }: Response, who: string): string {
  const isRedirect = type === "opaqueredirect" || (status >= 300 && status < 400);
  return isRedirect
    ? `${who} answered with a redirect, which is not followed. Check the address.`
    : `${who} answered ${status}.`;
}
