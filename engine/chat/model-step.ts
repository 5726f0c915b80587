import { invalid } from "../errors.ts";
import {
  type LanguageModel,
  ModelFailure,
  type ModelRequest,
  type ModelRetry,
  type ModelUsage,
  type ReasoningEffort,
  type ToolCall,
  type ToolSpec,
} from "../models/language-model.ts";
import { untilAborted } from "../until-aborted.ts";
import type { DeltaStream } from "./delta-stream.ts";
import type { TurnInput } from "./turn-input.ts";

/** One model step. */
interface StepInput {
  model: LanguageModel;
  input: TurnInput;
  tools: readonly ToolSpec[];
  reasoningEffort: ReasoningEffort | undefined;
  deltas: DeltaStream;
  /** What the model thinks, in all steps of the turn. */
  thoughts: DeltaStream;
  /** Called with each request before it is sent. */
  onRequest(): void;
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
export async function runModelStep(step: StepInput): Promise<StepResult> {
  const { input, tools, deltas, onRequest, reasoningEffort } = step;
  const textBefore = deltas.text.length;
  for (const isFirst of [true, false]) {
    const request = { ...input.compose(tools), reasoningEffort };
    onRequest();
    try {
      return await readStep(step, request);
    } catch (error) {
      const isTooLong = error instanceof ModelFailure && error.contextOverflow;
      if (!isTooLong || deltas.text.length > textBefore) throw error;
      if (isFirst) input.halve();
    }
  }
  throw invalid(
    "The conversation is longer than this model can take. Begin a new thread, or choose a model with a larger context window.",
  );
}

async function readStep(step: StepInput, request: ModelRequest): Promise<StepResult> {
  const { model, deltas, thoughts, signal, onRetry } = step;
  const parts = model.stream(request, signal, onRetry)[Symbol.asyncIterator]();
  const calls: ToolCall[] = [];
  let gap = thoughts.text === "" ? "" : "\n\n";
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
        case "reasoning": {
          const pause = thoughts.push(gap + part.text);
          gap = "";
          if (pause) await untilAborted(signal, pause);
          break;
        }
        case "tool-call":
          calls.push(part.call);
          break;
        case "end":
          await untilAborted(signal, Promise.all([deltas.flush(), thoughts.flush()]));
          return { calls, replay: part.replay, usage: part.usage };
      }
    }
  } finally {
    // Not awaited: a model that ignores its signal would hold the turn.
    parts.return?.().catch(() => {});
  }
}
