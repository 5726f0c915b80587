import type { ProviderError } from "./failures.ts";

// What providers say where the input does not fit. One line each, as seen in their documentation and error texts.
const SAYINGS = [
  // OpenAI, vLLM, OpenRouter, Mistral, xAI
  /context_length_exceeded/i,
  /maximum (context|prompt) length/i,
  /exceeds? (the|this model's) (maximum )?context/i,
  /context window/i,
  /reduce the length of the (messages|prompt|input)/i,
  // Anthropic
  /prompt is too long/i,
  /exceed(s|ed)? (the )?context limit/i,
  /request_too_large/i,
  // Google
  /input token count .* exceeds/i,
  // Bedrock
  /input is too long/i,
  /too many input tokens/i,
  // llama.cpp, LM Studio, Ollama
  /exceed_context_size/i,
  /available context size/i,
  /greater than the context length/i,
  /exceed(s|ed)? (the )?(max|maximum|model'?s?|available)?\s*(context|prompt) (length|size)/i,
  // Copilot and other proxies
  /token count of \d+ exceeds the limit/i,
];

/** Whether a provider's refusal means that the input is larger than the model's context. */
export function isContextOverflow({ status, text }: ProviderError): boolean {
  if (status !== undefined && (status === 401 || status === 403 || status === 429)) return false;
  return status === 413 || SAYINGS.some((saying) => saying.test(text));
}
