import { watchedFetch } from "../connection.ts";
import { currentToken } from "../session.ts";
import type { ApiRequest } from "./api-request.ts";

/** What came back, as far as it is here. */
export interface ApiAnswer {
  status: number;
  statusText: string;
  /** Milliseconds until the head of the response. */
  headMs: number;
  headers: readonly (readonly [string, string])[];
  /** The text so far; undefined where the body is no text. */
  text: string | undefined;
  bytes: number;
  isWhole: boolean;
}

const BYTES_SHOWN_MAX = 256 * 1024;
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*\+)?json)/;

/**
 * Sends a request as it is, and reports the response as it arrives. Of a long one the beginning is read.
 * Unlike a call of the client it gives every status back, and a 401 does not end the session: the account's can be one.
 */
export async function sendRequest(
  { method, path, body }: ApiRequest,
  signal: AbortSignal,
  report: (answer: ApiAnswer) => void,
): Promise<void> {
  const started = performance.now();
  const response = await watchedFetch(() => undefined)(`${location.origin}${path}`, {
    method,
    body,
    signal,
    headers: {
      Authorization: `Bearer ${currentToken()}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
  });
  const type = response.headers.get("content-type") ?? "";
  const answer: ApiAnswer = {
    status: response.status,
    statusText: response.statusText,
    headMs: performance.now() - started,
    headers: [...response.headers],
    text: TEXT.test(type) ? "" : undefined,
    bytes: 0,
    isWhole: false,
  };
  report(answer);
  await readBody(response, answer, report);
}

async function readBody(
  response: Response,
  answer: ApiAnswer,
  report: (answer: ApiAnswer) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let { text, bytes } = answer;
  const reader = response.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (!read?.value) break;
    bytes += read.value.length;
    if (text !== undefined) text += decoder.decode(read.value, { stream: true });
    report({ ...answer, text, bytes });
    if (bytes < BYTES_SHOWN_MAX) continue;
    await reader?.cancel();
    return;
  }
  report({ ...answer, text, bytes, isWhole: true });
}
