import { redactText } from "../../../shared/log.ts";
import { MODEL_FAILURE_CHARACTERS_MAX } from "../../limits.ts";
import { ModelFailure, type ModelRequest } from "../language-model.ts";
import { isContextOverflow } from "./context-overflow.ts";

/** Where a failure happened. The credentials in use and the request are here because it must not show them. */
export interface FailureContext {
  secrets: readonly string[];
  request: ModelRequest;
  /** Whether the provider had begun to answer. */
  answering: boolean;
}

/** The parts of a provider package's error that are looked at; all others (URL, request body, headers) never are. */
export interface ProviderError {
  status: number | undefined;
  retryable: boolean;
  headers: Readonly<Record<string, string>>;
  /** What the provider said; not redacted. */
  text: string;
  /** The error code of the network, where the provider was not reached. */
  networkCode: string | undefined;
}

/** Reads whatever a package threw, or sent as an error part, without trusting its shape. */
export function readProviderError(error: unknown): ProviderError {
  const fields = asObject(error);
  const networkCode = networkCodeOf(error);
  const status = typeof fields.statusCode === "number" ? fields.statusCode : undefined;
  return {
    status,
    retryable: fields.isRetryable === true,
    headers: Object.fromEntries(
      Object.entries(asObject(fields.responseHeaders)).map(([name, value]) => [
        name,
        String(value),
      ]),
    ),
    text: [typeof error === "string" ? error : "", fields.message, fields.code, fields.responseBody]
      .filter((part) => typeof part === "string" && part !== "")
      .join("\n"),
    networkCode,
  };
}

/** A failure that may be shown and logged. The provider's own words are kept only where they surely give nothing away. */
export function toModelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const read = readProviderError(error);
  if (isContextOverflow(read)) {
    const message = "The conversation is longer than the context of this model.";
    return new ModelFailure(message, { contextOverflow: true });
  }
  // What stands in an Error without a refusal is the package's own text.
  const isSaid = !(error instanceof Error) || (read.status ?? 0) >= 400;
  const said = isSaid ? sayable(saidBy(error), context) : undefined;
  const sentence =
    read.status === undefined && context.answering && !(error instanceof Error)
      ? "The model provider broke off its answer with an error."
      : sentenceOf(read, context.answering);
  return new ModelFailure(said ? `${sentence} It said: ${said}` : sentence);
}

function saidBy(error: unknown): unknown {
  return typeof error === "string" ? error : asObject(error).message;
}

function sentenceOf({ status, networkCode }: ProviderError, answering: boolean): string {
  if (networkCode !== undefined && !answering) {
    return `The model provider could not be reached (${networkCode}).`;
  }
  if (networkCode !== undefined) {
    return "The connection to the model provider broke before the answer was complete.";
  }
  if (status === undefined && !answering) return "The model provider could not be asked.";
  if (status === undefined) return "The model provider's answer could not be understood.";
  if (status === 401 || status === 403) {
    return `The model provider refused the credentials (${status}).`;
  }
  if (status === 404) return "The model provider knows no such model or address (404).";
  if (status === 429) return "The model provider is limiting requests (429). Try again later.";
  if (status >= 500 || status === 424) return `The model provider failed (${status}).`;
  if (status >= 400) return `The model provider refused the request (${status}).`;
  if (status >= 300)
    return `The model provider answered with a redirect (${status}), which is not followed.`;
  return "The model provider's answer broke off or could not be understood.";
}

const WINDOW_CHARACTERS = 12;
const SECRET_WINDOW_CHARACTERS = 8;
const REQUEST_CHARACTERS_MAX = 64 * 1024;

/** One short line, or undefined where there is any doubt: structured data, a piece of a secret, words of the request. */
function sayable(message: unknown, { secrets, request }: FailureContext): string | undefined {
  if (typeof message !== "string") return undefined;
  const line = message.replace(/\s+/g, " ").trim();
  const said = line.slice(0, MODEL_FAILURE_CHARACTERS_MAX).toWellFormed();
  if (said === "" || /[{}]|\*{3}|data:|[A-Za-z0-9+/_-]{40}/.test(said)) return undefined;
  if (secrets.some((secret) => shares(said, secret, SECRET_WINDOW_CHARACTERS))) return undefined;
  if (shares(said, requestText(request), WINDOW_CHARACTERS)) return undefined;
  return redactText(said.replace(/(https?:\/\/[^\s?#]*)[?#]\S*/gi, "$1"));
}

/** Whether a piece of `text` of this length stands in `other`, which may be shorter than that itself. */
function shares(text: string, other: string, lengthCharacters: number): boolean {
  if (other.length < lengthCharacters) return other.length >= 4 && text.includes(other);
  for (let at = 0; at + lengthCharacters <= text.length; at++) {
    if (other.includes(text.slice(at, at + lengthCharacters))) return true;
  }
  return false;
}

function requestText({ instructions, messages }: ModelRequest): string {
  const texts = messages.slice(-8).flatMap((message) => {
    if (message.role === "tool") return message.results.map(({ output }) => output);
    if (message.role !== "step") return [message.content];
    return [message.content, ...message.calls.map(({ argumentsText }) => argumentsText)];
  });
  const bounded = [...texts, instructions].map((text) => text.slice(0, REQUEST_CHARACTERS_MAX));
  return bounded.join("\n").replace(/\s+/g, " ");
}

const CAUSES_MAX = 5;

function networkCodeOf(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth++) {
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
