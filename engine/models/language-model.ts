/** The port to a model: one call of `stream` is one model step; `chat/agent.ts` has the agent loop. */
export interface LanguageModel {
  /**
   * Streams one step. Ends with exactly one `end` part, or throws: the signal's reason if it was aborted, else a
   * ModelFailure with a redacted message. `onRetry` is called each time the request is sent again.
   */
  stream(
    request: ModelRequest,
    signal: AbortSignal,
    onRetry?: (retry: ModelRetry) => void,
  ): AsyncIterable<ModelPart>;
}

/** A request that its provider could not take, and that is sent again. */
export interface ModelRetry {
  /** 1 for the first retry. */
  attempt: number;
  afterMs: number;
  /** Public and redacted, as the message of a ModelFailure. */
  reason: string;
}

export interface ModelRequest {
  instructions: string;
  messages: readonly ModelMessage[];
  tools: readonly ToolSpec[];
  /** How long the model may think; undefined is its own default. */
  reasoningEffort?: ReasoningEffort | undefined;
}

/** How long a model may think before it answers. */
export const REASONING_EFFORTS = ["off", "low", "medium", "high"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** A tool as a model sees it. */
export interface ToolSpec {
  name: string;
  doc: string;
  /** JSON Schema of the arguments object. */
  parameters: Record<string, unknown>;
}

export type ModelMessage =
  | { role: "user"; content: string; attachments?: readonly ModelAttachment[] }
  | { role: "system"; content: string }
  | { role: "assistant"; content: string }
  /** A step of this turn that called tools, with the data that its provider package needs to continue. */
  | { role: "step"; content: string; calls: readonly ToolCall[]; replay?: unknown }
  | { role: "tool"; results: readonly ToolOutcome[] };

/** A decoded attachment of a message. */
export interface ModelAttachment {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

export interface ToolCall {
  toolCallId: string;
  toolName: string;
  /** The raw arguments of the model: text that should be a JSON object. */
  argumentsText: string;
}

export interface ToolOutcome {
  toolCallId: string;
  toolName: string;
  /** The text that the model reads. */
  output: string;
  failed: boolean;
}

export type ModelPart =
  | { type: "delta"; text: string }
  /** Thinking, as far as the provider shows it. */
  | { type: "reasoning"; text: string }
  | { type: "tool-call"; call: ToolCall }
  | { type: "end"; usage: ModelUsage | undefined; replay?: unknown };

/** Token counts of the provider. */
export interface ModelUsage {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** The part of the input that came from a cache. */
  cachedInputTokens?: number | undefined;
}

/** A model that failed. The message is public and redacted: no key, no request body, no URL with a query. */
export class ModelFailure extends Error {
  override name = "ModelFailure";
  /** Whether the provider reported that the input exceeds the model's context. */
  readonly contextOverflow: boolean;
  /** Whether the request had tools, and the provider's error is about tools. */
  readonly refusesTools: boolean;

  constructor(
    message: string,
    options: { contextOverflow?: boolean; refusesTools?: boolean } = {},
  ) {
    super(message);
    this.contextOverflow = options.contextOverflow ?? false;
    this.refusesTools = options.refusesTools ?? false;
  }
}
