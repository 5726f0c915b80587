import type { ModelAttachment, ModelMessage } from "../models/language-model.ts";
import { IMAGE_TOKENS, PLANNED_SHARE } from "./limits.ts";

const BYTES_PER_TOKEN = 4;
/** The overhead of a message besides its text. */
export const MESSAGE_TOKENS = 4;

/** The tokens of a window that requests are planned with; the rest is for the answer, and for what the estimate misses. */
export function plannedTokens(window: number): number {
  return Math.floor(window * PLANNED_SHARE);
}

/** An estimate, high for English and low for code and some scripts: bytes divided by four. */
export function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The inverse of `textTokens`. */
export function tokenBytes(tokens: number): number {
  return tokens * BYTES_PER_TOKEN;
}

/** The estimated tokens of some messages. */
export function sumTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((tokens, message) => tokens + messageTokens(message), 0);
}

/** How many of the newest messages fit. */
export function countNewestWithin(messages: readonly ModelMessage[], tokensMax: number): number {
  let left = tokensMax;
  const from = messages.findLastIndex((message) => {
    left -= messageTokens(message);
    return left < 0;
  });
  return messages.length - from - 1;
}

/** The estimated tokens of one message. */
export function messageTokens(message: ModelMessage): number {
  switch (message.role) {
    case "user": {
      const attached = (message.attachments ?? []).map(attachmentTokens);
      return attached.reduce((sum, tokens) => sum + tokens, textMessageTokens(message.content));
    }
    case "system":
    case "assistant":
      return textMessageTokens(message.content);
    case "step":
      return message.calls.reduce(
        (tokens, { toolName, argumentsText }) =>
          tokens + MESSAGE_TOKENS + textTokens(toolName) + textTokens(argumentsText),
        textMessageTokens(message.content),
      );
    case "tool":
      return message.results.reduce((tokens, { output }) => tokens + textMessageTokens(output), 0);
  }
}

function textMessageTokens(text: string): number {
  return MESSAGE_TOKENS + textTokens(text);
}

// What a provider makes of other bytes depends on the provider.
function attachmentTokens({ mediaType, bytes }: ModelAttachment): number {
  return mediaType.startsWith("text/") ? Math.ceil(bytes.length / BYTES_PER_TOKEN) : IMAGE_TOKENS;
}
