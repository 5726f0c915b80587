import type { ModelMessage } from "../models/language-model.ts";
import { OUTPUT_RESERVE_TOKENS_MAX } from "./limits.ts";

const BYTES_PER_TOKEN = 4;
// The overhead of a message besides its text.
const MESSAGE_TOKENS = 4;
const DROPPED_RESULT = "[This result was dropped to fit the model's context window.]";

/** All candidates for the input of a model step. */
interface Conversation {
  /** The tokens of the instructions and tool descriptions, which are always sent. */
  fixedTokens: number;
  /** The messages before this turn, oldest first. */
  history: readonly ModelMessage[];
  /** This turn: the newest user message, then its steps and tool results. */
  turn: readonly ModelMessage[];
}

/** The tokens that input may take: the window less a reserve for the answer. */
export function inputTokensMax(contextWindow: number): number {
  return contextWindow - Math.min(OUTPUT_RESERVE_TOKENS_MAX, Math.floor(contextWindow / 4));
}

/** A high estimate for English: bytes divided by four. */
export function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The inverse of `textTokens`. */
export function tokenBytes(tokens: number): number {
  return tokens * BYTES_PER_TOKEN;
}

/**
 * Fits the messages of a step into the window. Drops the oldest history first, then the oldest tool results of this
 * turn. The newest user message always stays.
 */
export function fitMessages(conversation: Conversation, tokensMax: number): ModelMessage[] {
  const { fixedTokens, history } = conversation;
  const turn = fitTurn(conversation.turn, tokensMax - fixedTokens);
  let left = tokensMax - fixedTokens - sum(turn);
  let from = history.length;
  for (const message of history.toReversed()) {
    left -= messageTokens(message);
    if (left < 0) break;
    from -= 1;
  }
  return [...startOfExchange(history, from), ...turn];
}

// Drops leading answers without their question: some providers reject a history that begins with one.
function startOfExchange(history: readonly ModelMessage[], from: number): ModelMessage[] {
  let start = from;
  while (start > 0 && history[start]?.role === "assistant") start += 1;
  return history.slice(start);
}

function fitTurn(turn: readonly ModelMessage[], tokensMax: number): ModelMessage[] {
  let excess = sum(turn) - tokensMax;
  return turn.map((message) => {
    if (excess <= 0 || message.role !== "tool") return message;
    const results = message.results.map((result) => {
      const saved = textTokens(result.output) - textTokens(DROPPED_RESULT);
      if (excess <= 0 || saved <= 0) return result;
      excess -= saved;
      return { ...result, output: DROPPED_RESULT };
    });
    return { role: "tool", results };
  });
}

function sum(messages: readonly ModelMessage[]): number {
  return messages.reduce((tokens, message) => tokens + messageTokens(message), 0);
}

/** The estimated tokens of one message. */
export function messageTokens(message: ModelMessage): number {
  switch (message.role) {
    case "user":
    case "system":
    case "assistant":
      return MESSAGE_TOKENS + textTokens(message.content);
    case "step":
      return message.calls.reduce(
        (tokens, { toolName, argumentsText }) =>
          tokens + MESSAGE_TOKENS + textTokens(toolName) + textTokens(argumentsText),
        MESSAGE_TOKENS + textTokens(message.content),
      );
    case "tool":
      return message.results.reduce(
        (tokens, { output }) => tokens + MESSAGE_TOKENS + textTokens(output),
        0,
      );
  }
}
