import { isUtf8 } from "node:buffer";
import type { ModelAttachment, ReasoningEffort } from "../language-model.ts";
import type { ModelParameters } from "../wire.ts";
import type { SdkOptions, SdkUserPart } from "./sdk.ts";

/** The differences of a family of providers that its package does not handle. */
export interface Dialect {
  /**
   * Whether conversations must begin with the user, may not have system messages in their middle, and may not have empty
   * texts.
   */
  strict: boolean;
  /** An attachment as a binary part; a file part with a data URL if the package refuses the type. */
  toFilePart(attachment: ModelAttachment, position: number): SdkUserPart;
  providerOptions?: SdkOptions["providerOptions"];
  /** How parameters, context window and effort are sent; without it as the fields of the package, and no window. */
  toOptions?(
    parameters: ModelParameters,
    contextWindow: number,
    effort: ReasoningEffort | undefined,
  ): Partial<SdkOptions>;
}

/** Accepts every media type as inline data. Its thinking is shown only where it is asked for. */
export const googleDialect: Dialect = {
  strict: true,
  toFilePart: toBinaryPart,
  toOptions: (parameters, _contextWindow, effort) => ({
    ...toFields(parameters, effort),
    ...(effort &&
      effort !== "off" && {
        providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
      }),
  }),
};

/** Accepts every media type as inline data by an option. The provider must not store conversations. */
export const openaiDialect: Dialect = {
  strict: false,
  toFilePart: toBinaryPart,
  providerOptions: { openai: { store: false, passThroughUnsupportedFiles: true } },
};

// The package merges these options into a text part, which makes it the `file` part of chat completions.
export const openaiCompatibleDialect: Dialect = {
  strict: false,
  toFilePart(attachment) {
    if (isText(attachment) || OPENAI_COMPATIBLE_TYPES.has(attachment.mediaType)) {
      return toBinaryPart(attachment);
    }
    const file = { filename: attachment.name, file_data: toDataUrl(attachment) };
    const openaiCompatible = { type: "file", text: undefined, file };
    return { type: "text", text: "", providerOptions: { openaiCompatible } };
  },
};

export const anthropicDialect: Dialect = {
  strict: true,
  // Arguments arrive whole: many compatible servers reject the newer field that streams them.
  // With `cacheControl` the provider itself places the mark of what it caches.
  providerOptions: { anthropic: { toolStreaming: false, cacheControl: { type: "ephemeral" } } },
  toFilePart(attachment) {
    if (ANTHROPIC_TYPES.has(attachment.mediaType)) return toBinaryPart(attachment);
    if (isText(attachment)) return { ...toBinaryPart(attachment), mediaType: "text/plain" };
    // The package passes the URL of a PDF; the data URL has the media type.
    const data = { type: "url" as const, url: new URL(toDataUrl(attachment)) };
    return { type: "file", filename: attachment.name, mediaType: "application/pdf", data };
  },
};

export const bedrockDialect: Dialect = {
  strict: true,
  toFilePart(attachment, position) {
    // Two documents of one message may not have the same name.
    const name = `${position + 1} ${attachment.name}`;
    if (!attachment.mediaType.startsWith("audio/")) return toBinaryPart({ ...attachment, name });
    const data = { type: "text" as const, text: toDataUrl(attachment) };
    return { type: "file", filename: name, mediaType: "text/plain", data };
  },
};

/** Carries the effort through the package, which knows no levels; it does not leave the engine. */
export const OLLAMA_EFFORT_HEADER = "x-roundhouse-effort";

/** Takes images and text. All numbers are `options` of the request; it runs models with 4,096 tokens if none is sent. */
export const ollamaDialect: Dialect = {
  strict: false,
  toFilePart(attachment) {
    const { name, mediaType, bytes } = attachment;
    if (IMAGES.includes(mediaType)) {
      // The package writes other bytes as an object of numbers.
      const data = { type: "data" as const, data: Buffer.from(bytes).toString("base64") };
      return { type: "file", filename: name, mediaType, data };
    }
    const text = isText(attachment)
      ? `\n\nThe attachment ${name}:\n${new TextDecoder().decode(bytes)}`
      : `\n\n(The attachment ${name} of the type ${mediaType} is left out: Ollama takes images and texts.)`;
    return { type: "text", text };
  },
  toOptions({ temperature, topP, maxOutputTokens }, contextWindow, effort) {
    const options = {
      num_ctx: contextWindow,
      ...(temperature !== null && { temperature }),
      ...(topP !== null && { top_p: topP }),
      ...(maxOutputTokens !== null && { num_predict: maxOutputTokens }),
    };
    return {
      providerOptions: { ollama: { options } },
      ...(effort && { headers: { [OLLAMA_EFFORT_HEADER]: effort } }),
    };
  },
};

const REASONING = { off: "none", low: "low", medium: "medium", high: "high" } as const;

/** Parameters and effort as the fields of the packages. */
export function toFields(
  { temperature, topP, maxOutputTokens }: ModelParameters,
  effort: ReasoningEffort | undefined,
): Partial<SdkOptions> {
  return {
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
    maxOutputTokens: maxOutputTokens ?? undefined,
    ...(effort && { reasoning: REASONING[effort] }),
  };
}

const IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const OPENAI_COMPATIBLE_TYPES = new Set([...IMAGES, "application/pdf", "audio/wav", "audio/mpeg"]);
const ANTHROPIC_TYPES = new Set([...IMAGES, "application/pdf", "text/plain"]);

function isText({ mediaType, bytes }: ModelAttachment): boolean {
  return mediaType.startsWith("text/") && isUtf8(bytes);
}

function toBinaryPart({ name, mediaType, bytes }: ModelAttachment): SdkUserPart {
  return { type: "file", filename: name, mediaType, data: { type: "data", data: bytes } };
}

function toDataUrl({ mediaType, bytes }: ModelAttachment): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
}
