import { fromUtf8 } from "../../shared/bytes.ts";
import { readBytes } from "../../shared/http/json-body.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import { redactText } from "../../shared/log.ts";
import type { EngineDeps } from "../deps.ts";
import { MODEL_ANSWER_BYTES_MAX, MODEL_ERROR_BYTES_MAX } from "../models/limits.ts";
import { withHeaders } from "../models/providers/create-model.ts";
import { readProviderError } from "../models/providers/provider-error.ts";
import { type WireWatch, watchWire } from "../models/providers/wire-watch.ts";
import { OpenAiError } from "./errors.ts";

/** Where a call goes, and what goes with it. */
export interface ProviderAddress {
  url: string;
  apiKey: string | undefined;
  headers: Readonly<Record<string, string>>;
}

/** The response of a provider that took a call. Disposal ends what is still open. */
export interface ProviderCall extends Disposable {
  response: Response;
  /** The failure of reading the response, in the form of the interface. */
  toFailure(error: unknown): OpenAiError;
}

/** Statuses that concern the client's own request. */
const PASSED_ON: ReadonlySet<number> = new Set([400, 429]);

/**
 * Sends a body to a provider. A redirect is not followed: it could lead elsewhere.
 * @throws OpenAiError with the provider's own 400 or 429, else 502; the signal's reason
 */
export async function callProvider(
  deps: Pick<EngineDeps, "fetch" | "timers">,
  { url, apiKey, headers }: ProviderAddress,
  { body, signal }: { body: object; signal: AbortSignal },
): Promise<ProviderCall> {
  const secrets = [apiKey, ...Object.values(headers)].filter((secret) => secret !== undefined);
  const wire = watchWire(deps, signal);
  try {
    const response = await withHeaders(wire.fetch, headers)(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await toRefusal(response, secrets);
    return {
      response,
      toFailure: (error) => toFailure(error, wire),
      [Symbol.dispose]: () => wire[Symbol.dispose](),
    };
  } catch (error) {
    wire[Symbol.dispose]();
    if (error instanceof OpenAiError) throw error;
    signal.throwIfAborted();
    throw toFailure(error, wire);
  }
}

/** The JSON object of a response, and a response with its bytes as they came. @throws OpenAiError 502 */
export async function readAnswer({ response, toFailure }: ProviderCall) {
  try {
    const bytes = await readBytes(response, MODEL_ANSWER_BYTES_MAX);
    const json = bytes && parseJson(fromUtf8(bytes));
    if (bytes && isJsonObject(json)) {
      const headers = { "Content-Type": "application/json" };
      return { json, asItIs: new Response(new Uint8Array(bytes), { headers }) };
    }
  } catch (error) {
    throw toFailure(error);
  }
  throw new OpenAiError(502, "The provider's answer could not be understood.");
}

function toFailure(error: unknown, wire: WireWatch): OpenAiError {
  if (error instanceof OpenAiError) return error;
  const fault = wire.fault();
  if (fault) return new OpenAiError(502, fault.message);
  const { networkCode } = readProviderError(error);
  const reason = networkCode === undefined ? "" : ` (${networkCode})`;
  return wire.answering()
    ? new OpenAiError(
        502,
        `The connection to the provider broke before the answer was complete${reason}.`,
      )
    : new OpenAiError(502, `The model provider could not be reached${reason}.`);
}

/** Only what concerns the client's own request keeps its words: others may name the key. */
async function toRefusal(response: Response, secrets: readonly string[]): Promise<OpenAiError> {
  const { status, headers } = response;
  const bytes = await readBytes(response, MODEL_ERROR_BYTES_MAX);
  if (!PASSED_ON.has(status)) {
    return new OpenAiError(502, `The model provider refused the call (${status}).`);
  }
  const text = new TextDecoder().decode(bytes);
  const { said } = readProviderError({ statusCode: status, responseBody: text });
  const hidden = secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), said ?? "");
  const { type, param, code } = errorFields(text);
  return new OpenAiError(status, redactText(hidden) || `The model provider answered ${status}.`, {
    ...(type && { type }),
    param: param ?? null,
    code: code ?? null,
    retryAfter: headers.get("retry-after"),
  });
}

function errorFields(text: string) {
  const body = parseJson(text);
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : {};
  const textOf = (value: unknown) => (typeof value === "string" && value ? value : undefined);
  return { type: textOf(error.type), param: textOf(error.param), code: textOf(error.code) };
}
