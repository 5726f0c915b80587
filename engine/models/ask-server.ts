import { fromUtf8 } from "../../shared/bytes.ts";
import { readBytes } from "../../shared/http/json-body.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import { withDeadline } from "../deadline.ts";
import type { EngineDeps } from "../deps.ts";

/** A JSON object of a server. */
export type ServerAnswer = Readonly<Record<string, unknown>>;

interface Question {
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: object | undefined;
  /** The response may have this many bytes, and take so long. */
  bytesMax: number;
  delayMs: number;
  /** A redirect is never followed: it could lead elsewhere. */
  redirect: "error" | "manual";
  signal?: AbortSignal;
}

/**
 * Asks a model server for a JSON object. Undefined if the server is not there or too slow, and if the response is something
 * else. Never throws.
 */
export async function askServer(
  { fetch, timers }: Pick<EngineDeps, "fetch" | "timers">,
  url: string,
  { headers, body, bytesMax, delayMs, redirect, signal = new AbortController().signal }: Question,
): Promise<ServerAnswer | undefined> {
  // Its end also aborts what is left of a response that is not read to its end.
  using limited = withDeadline(timers, signal, { delayMs, reason: undefined });
  try {
    const response = await fetch(url, {
      method: body ? "POST" : "GET",
      headers: {
        Accept: "application/json",
        ...headers,
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect,
      signal: limited.signal,
    });
    const bytes = response.ok ? await readBytes(response, bytesMax) : undefined;
    const answer = bytes && parseJson(fromUtf8(bytes));
    return isJsonObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
