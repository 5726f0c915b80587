import { fromUtf8 } from "../../shared/bytes.ts";
import { readBytes } from "../../shared/http/json-body.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";

type Json = Readonly<Record<string, unknown>>;

interface Question {
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: Json | undefined;
  /** The response may have this many bytes. */
  bytesMax: number;
  /** A redirect is never followed: it could lead elsewhere. */
  redirect: "error" | "manual";
  signal: AbortSignal;
}

/**
 * Asks a model server for a JSON object. Undefined if the server is not there or too slow, and if the response is something
 * else. Never throws.
 */
export async function askServer(
  fetch: typeof globalThis.fetch,
  url: string,
  { headers, body, bytesMax, redirect, signal }: Question,
): Promise<Json | undefined> {
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
      signal,
    });
    const bytes = response.ok ? await readBytes(response, bytesMax) : undefined;
    const answer = bytes && parseJson(fromUtf8(bytes));
    return isJsonObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
