import { redactText } from "../../../shared/log.ts";
import { ModelFailure, type ModelRequest } from "../language-model.ts";
import { MODEL_FAILURE_CHARACTERS_MAX } from "../limits.ts";
import { type ProviderError, readProviderError } from "./provider-error.ts";

/** What is known of a model whose step fails. */
export interface FailingModel {
  /** Texts that must not appear in a failure. */
  secrets: readonly string[];
  /** Whether a key was stored for the model. */
  hasKey: boolean;
  /** What to try if the server has no such address; undefined if nothing is known. */
  ifNotFound?: string | undefined;
  /** The sentence if nothing answers at its address; undefined if it has none. */
  ifUnreachable?: string | undefined;
}

/** The context of a failure. Credentials and request are here so that the message can be checked for them. */
interface FailureContext extends FailingModel {
  request: ModelRequest;
  /** Whether the provider had begun its response. */
  answering: boolean;
}

/** A failure that may be shown and logged. The provider's own text is kept only where it certainly reveals nothing. */
export function toModelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const read = readProviderError(error);
  if (isContextOverflow(read)) {
    const message = "The conversation is longer than the context of this model.";
    return new ModelFailure(message, { contextOverflow: true });
  }
  const said = sayable(read.said, context);
  const sentence =
    read.status === undefined && context.answering && !(error instanceof Error)
      ? "The model provider broke off its answer with an error."
      : sentenceOf(read, context);
  const message = said ? `${sentence} It said: ${said}` : sentence;
  return new ModelFailure(message, { refusesTools: isAboutTools(read, context.request) });
}

/** Whether tools were sent, and the error is about tools: the model, or its server as it was started, may take none. */
export function isAboutTools({ text }: ProviderError, { tools }: ModelRequest): boolean {
  return tools.length > 0 && /\btools?\b|--jinja/i.test(text);
}

// No connection at all, or no such host; not a certificate that is refused, say.
const NO_ANSWER =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

function sentenceOf(
  { status, networkCode }: ProviderError,
  { answering, hasKey, ifNotFound, ifUnreachable }: FailureContext,
): string {
  if (networkCode !== undefined && !answering && ifUnreachable && NO_ANSWER.test(networkCode)) {
    return ifUnreachable;
  }
  if (networkCode !== undefined && !answering) {
    return `The model provider could not be reached (${networkCode}).`;
  }
  if (networkCode !== undefined) {
    return "The connection to the model provider broke before the answer was complete.";
  }
  if (status === undefined && !answering)
    return "The request to the model provider could not be sent.";
  if (status === undefined) return "The model provider's answer could not be understood.";
  if (status === 401 || status === 403) {
    const missing = hasKey ? "" : ": no API key is stored for this model";
    return `The model provider refused the credentials (${status})${missing}.`;
  }
  if (status === 404) {
    const sentence = "The model provider knows no such model or address (404).";
    return ifNotFound === undefined ? sentence : `${sentence} ${ifNotFound}`;
  }
  if (status === 429) return "The model provider is limiting requests (429). Try again later.";
  if (status >= 500 || status === 424) return `The model provider failed (${status}).`;
  if (status >= 400) return `The model provider refused the request (${status}).`;
  if (status >= 300)
    return `The model provider answered with a redirect (${status}), which is not followed.`;
  return "The model provider's answer broke off or could not be understood.";
}

const WINDOW_CHARACTERS = 12;
const SECRET_WINDOW_CHARACTERS = 8;
const REQUEST_TEXT_CHARACTERS_MAX = 64 * 1024;
const REQUEST_CHARACTERS_MAX = 512 * 1024;

/** One short line. Undefined if it could hold structured data, a piece of a secret or a text of the request. */
function sayable(
  message: string | undefined,
  { secrets, request }: FailureContext,
): string | undefined {
  if (message === undefined) return undefined;
  const line = message.replace(/\s+/g, " ").trim();
  const said = line.slice(0, MODEL_FAILURE_CHARACTERS_MAX).toWellFormed();
  if (said === "" || /[{}]|\*{3}|data:|[A-Za-z0-9+/_-]{40}/.test(said)) return undefined;
  if (secrets.some((secret) => sharesText(said, secret, SECRET_WINDOW_CHARACTERS))) {
    return undefined;
  }
  if (sharesText(said, requestText(request), WINDOW_CHARACTERS)) return undefined;
  return redactText(said.replace(/\S+/g, withoutQuery));
}

function withoutQuery(word: string): string {
  const url = word.search(/https?:\/\//i);
  const query = url < 0 ? -1 : url + word.slice(url).search(/[?#]/);
  return query > url ? word.slice(0, query) : word;
}

function requestText({ instructions, messages }: ModelRequest): string {
  const texts = messages
    .slice(-8)
    .toReversed()
    .flatMap((message) => {
      if (message.role === "tool") return message.results.map(({ output }) => output);
      if (message.role !== "step") return [message.content];
      return [message.content, ...message.calls.map(({ argumentsText }) => argumentsText)];
    });
  const bounded = [instructions, ...texts].map((text) =>
    text.slice(0, REQUEST_TEXT_CHARACTERS_MAX),
  );
  return bounded.join("\n").slice(0, REQUEST_CHARACTERS_MAX).replace(/\s+/g, " ");
}

/** Whether a piece of `text` of this length occurs in `other`. A shorter `other` counts as a whole from four characters on. */
function sharesText(text: string, other: string, length: number): boolean {
  if (other.length < length) return other.length >= 4 && text.includes(other);
  for (let at = 0; at + length <= text.length; at += 1) {
    if (other.includes(text.slice(at, at + length))) return true;
  }
  return false;
}

// The error texts of providers if the input does not fit, one line each, in lower case and with single spaces. No
// repetition without a bound: the text is the provider's.
const SAYINGS = [
  // OpenAI, vLLM, OpenRouter, Mistral, xAI
  /context_length_exceeded/,
  /maximum (context|prompt) length/,
  /exceeds? (the|this model's) (maximum )?context/,
  /context window/,
  /reduce the length of the (messages|prompt|input)/,
  // Anthropic
  /prompt is too long/,
  /exceed(s|ed)? (the )?context limit/,
  /request_too_large/,
  // Google
  /input token count ([^ ]{1,24} ){0,4}exceeds/,
  // Bedrock
  /input is too long/,
  /too many input tokens/,
  // llama.cpp, LM Studio, Ollama
  /exceed_context_size/,
  /available context size/,
  /greater than the context length/,
  /exceed(s|ed)? (the )?(max |maximum |models? |model's |available )?(context|prompt) (length|size)/,
  // Copilot and other proxies
  /token count of \d{1,12} exceeds the limit/,
];

/** Whether a provider's error means that the input exceeds the model's context. */
function isContextOverflow({ status, text }: ProviderError): boolean {
  if (status !== undefined && (status === 401 || status === 403 || status === 429)) return false;
  const line = text.toLowerCase().replace(/\s+/g, " ");
  return status === 413 || SAYINGS.some((saying) => saying.test(line));
}
