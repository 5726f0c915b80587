import { invalid } from "../errors.ts";
import type { GraphEvent } from "../events/event.ts";
import { MODEL_STEPS_MAX, TOOL_RESULT_BYTES_MAX } from "../limits.ts";
import type { ModelMessage, ToolCall } from "../models/language-model.ts";
import { inputTokensMax, tokenBytes } from "./context-window.ts";
import { DeltaStream } from "./delta-stream.ts";
import { runModelStep, type Speaker, type StepResult } from "./model-step.ts";
import { toToolOutcome, toToolRecord } from "./tool-record.ts";
import { runToolCall, type ToolRun } from "./tool-runner.ts";
import { recordMessage } from "./transcript.ts";

/** A turn as the agent sees it. */
export interface AgentRun {
  speaker: Speaker;
  userMessage: ModelMessage;
  tools: ToolRun;
  /** The tool groups that a small window has no room for. */
  omittedToolGroups: readonly string[];
  emit(event: GraphEvent): void;
}

/**
 * The `chat` graph: model and tools in turns, until the model calls no more tools. Returns the text of all steps, which
 * is what its deltas said.
 * @throws the reason of the signal; ModelFailure; EngineError; a fault inside a tool.
 */
export async function runAgent(run: AgentRun): Promise<string> {
  const { speaker, tools, emit } = run;
  const { peer, builtins, signal } = tools;
  const deltas = new DeltaStream({
    emit: (delta) => emit({ type: "model.delta", node_id: "model", delta }),
    caughtUp: () => peer.caughtUp(),
  });
  const turn: ModelMessage[] = [run.userMessage];
  try {
    for (let steps = 1; ; steps += 1) {
      const specs = [...[...builtins.values()].map(({ spec }) => spec), ...peer.uiTools()];
      const textBefore = deltas.text.length;
      emit({ type: "node.started", node_id: "model" });
      const step = await runModelStep({ speaker, tools: specs, turn, deltas, signal });
      signal.throwIfAborted();
      emit({ type: "node.completed", node_id: "model" });
      logUsage(run, step);
      const { calls, replay } = step;
      if (calls.length === 0) return deltas.text;
      if (steps === MODEL_STEPS_MAX) {
        throw invalid(`The model came to no answer in ${MODEL_STEPS_MAX} steps.`);
      }
      turn.push({ role: "step", content: deltas.text.slice(textBefore), calls, replay });
      turn.push(await runTools(run, calls));
    }
  } finally {
    deltas.close();
  }
}

/** One after the other: the user is asked one thing at a time. */
async function runTools(run: AgentRun, calls: readonly ToolCall[]): Promise<ModelMessage> {
  const { speaker, tools, emit } = run;
  const { deps, peer, context, signal } = tools;
  emit({ type: "node.started", node_id: "tools" });
  // Together no more than half of what the model can take, so that there is room to go on.
  const share = tokenBytes(inputTokensMax(speaker.contextWindow)) / 2 / calls.length;
  const bytesMax = Math.min(TOOL_RESULT_BYTES_MAX, Math.floor(share));
  const results = [];
  for (const call of calls) {
    const ended = await runToolCall(tools, call);
    signal.throwIfAborted();
    const content = toToolRecord(ended);
    await recordMessage(deps, peer, { threadUuid: context.thread.uuid, role: "tool", content });
    signal.throwIfAborted();
    results.push(toToolOutcome(ended, bytesMax));
  }
  emit({ type: "node.completed", node_id: "tools" });
  return { role: "tool", results };
}

function logUsage({ tools }: AgentRun, { usage }: StepResult): void {
  if (!usage) return;
  const { inputTokens, outputTokens } = usage;
  const thread = tools.context.thread.uuid;
  tools.deps.log.info({ thread, inputTokens, outputTokens }, "A model step ended.");
}
