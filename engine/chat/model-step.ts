import { invalid } from "../errors.ts";
import {
  type LanguageModel,
  ModelFailure,
  type ModelMessage,
  type ModelRequest,
  type ModelRetry,
  type ModelUsage,
  type ToolCall,
  type ToolSpec,
} from "../models/language-model.ts";
import { untilAborted } from "../until-aborted.ts";
import { fitMessages, inputTokensMax, textTokens } from "./context-window.ts";
import type { DeltaStream } from "./delta-stream.ts";

/** The model of a turn, its instructions and the history before the turn. */
export interface ModelContext {
  model: LanguageModel;
  contextWindow: number;
  instructions: string;
  history: readonly ModelMessage[];
}

/** The input of one model step. */
interface StepInput {
  context: ModelContext;
  tools: readonly ToolSpec[];
  /** The messages of this turn. */
  turn: readonly ModelMessage[];
  deltas: DeltaStream;
  signal: AbortSignal;
  onRetry(retry: ModelRetry): void;
}

/** The result of one model step; its text is in the deltas. */
export interface StepResult {
  calls: ToolCall[];
  replay: unknown;
  usage: ModelUsage | undefined;
}

/**
 * One model step. If the provider rejects the input as too long, the step is retried once with half of it.
 * @throws the reason of the signal; ModelFailure; EngineError `invalid` if nothing fits.
 */
export async function runModelStep(input: StepInput): Promise<StepResult> {
  const { tools, turn, deltas } = input;
  const { instructions, history, contextWindow } = input.context;
  const tokensMax = inputTokensMax(contextWindow);
  const fixedTokens = textTokens(instructions) + textTokens(JSON.stringify(tools));
  const textBefore = deltas.text.length;
  for (const max of [tokensMax, Math.floor(tokensMax / 2)]) {
    const messages = fitMessages({ fixedTokens, history, turn }, max);
    try {
      return await readStep(input, { instructions, messages, tools });
    } catch (error) {
      const isTooLong = error instanceof ModelFailure && error.contextOverflow;
      if (!isTooLong || deltas.text.length > textBefore) throw error;
    }
  }
  throw invalid(
    "The conversation is longer than this model can take. Begin a new thread, or choose a model with a larger context window.",
  );
}

async function readStep(input: StepInput, request: ModelRequest): Promise<StepResult> {
  const { context, deltas, signal, onRetry } = input;
  const parts = context.model.stream(request, signal, onRetry)[Symbol.asyncIterator]();
  const calls: ToolCall[] = [];
  try {
    for (;;) {
      const { done, value: part } = await untilAborted(signal, parts.next());
      if (done) return { calls, replay: undefined, usage: undefined };
      switch (part.type) {
        case "delta": {
          const pause = deltas.push(part.text);
          if (pause) await untilAborted(signal, pause);
          break;
        }
        case "tool-call":
          calls.push(part.call);
          break;
        case "end":
          await untilAborted(signal, deltas.flush());
          return { calls, replay: part.replay, usage: part.usage };
      }
    }
  } finally {
    // Not awaited: a model that ignores its signal would hold the turn.
    parts.return?.().catch(() => {});
  }
}
