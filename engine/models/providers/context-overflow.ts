import type { ProviderError } from "./provider-error.ts";

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
export function isContextOverflow({ status, text }: ProviderError): boolean {
  if (status !== undefined && (status === 401 || status === 403 || status === 429)) return false;
  const line = text.toLowerCase().replace(/\s+/g, " ");
  return status === 413 || SAYINGS.some((saying) => saying.test(line));
}
