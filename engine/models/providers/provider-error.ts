import { parseJson } from "../../../shared/json.ts";
import { MODEL_ERROR_BYTES_MAX, MODEL_ERROR_TEXT_CHARACTERS_MAX } from "../limits.ts";

/** The parts of a provider package's error that are read; URL, request body and headers never are. */
export interface ProviderError {
  status: number | undefined;
  retryable: boolean;
  headers: Readonly<Record<string, string>>;
  /** The whole text of the provider; not redacted. */
  text: string;
  /** The provider's message for users; not redacted. Undefined if the text is the package's own. */
  said: string | undefined;
  /** The network's error code if the connection failed. */
  networkCode: string | undefined;
}

/** Reads any error that a package threw or sent as a part, without trusting its shape. Cuts its texts. */
export function readProviderError(error: unknown): ProviderError {
  const fields = asObject(error);
  const status = typeof fields.statusCode === "number" ? fields.statusCode : undefined;
  const headers = Object.entries(asObject(fields.responseHeaders));
  const text = [error, fields.code, fields.message, fields.responseBody]
    .filter((part) => typeof part === "string" && part !== "")
    .map(cutText)
    .join("\n");
  // The message of an Error without a response is the package's own text.
  const isSaid = !(error instanceof Error) || (status ?? 0) >= 400;
  return {
    status,
    retryable: fields.isRetryable === true,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    text: cutText(text),
    said: isSaid ? saidBy(error) : undefined,
    networkCode: networkCodeOf(error),
  };
}

function saidBy(error: unknown): string | undefined {
  const { message, data, responseBody } = asObject(error);
  // Without `data` the package could not parse the body, and its message is the HTTP status text.
  const inBody = data === undefined ? sentenceInBody(responseBody) : undefined;
  const said = inBody ?? (typeof message === "string" ? message : sentenceIn(error));
  return said === undefined ? undefined : cutText(said);
}

function sentenceInBody(body: unknown): string | undefined {
  if (typeof body !== "string") return undefined;
  const text = body.slice(0, MODEL_ERROR_BYTES_MAX).trim();
  const parsed = parseJson(text);
  if (parsed !== undefined) return sentenceIn(parsed);
  // Plain text, but not the HTML page of a proxy.
  return text === "" || text.startsWith("<") ? undefined : text;
}

const SENTENCE_NAMES = ["message", "error", "detail", "details", "errors", "description", "msg"];
const SENTENCE_DEPTH_MAX = 4;

/** The first text under a name for messages, at any depth: `{error: {message}}`, `{detail: [{msg}]}`. */
function sentenceIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value.trim() || undefined;
  if (depth === SENTENCE_DEPTH_MAX) return undefined;
  if (Array.isArray(value)) return sentenceIn(value[0], depth + 1);
  const fields = asObject(value);
  for (const name of SENTENCE_NAMES) {
    const found = Object.hasOwn(fields, name) ? sentenceIn(fields[name], depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function cutText(text: unknown): string {
  return String(text).slice(0, MODEL_ERROR_TEXT_CHARACTERS_MAX);
}

const CAUSES_MAX = 5;

function networkCodeOf(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth += 1) {
    const { code } = asObject(current);
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code;
    if (current instanceof TypeError && current.message === "terminated") return "TERMINATED";
    current = current.cause;
  }
  return undefined;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
