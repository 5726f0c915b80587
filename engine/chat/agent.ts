import { invalid } from "../errors.ts";
import type { GraphEvent } from "../events/event.ts";
import type { ModelMessage, ModelRetry, ToolCall } from "../models/language-model.ts";
import type { ApprovalPolicy } from "../policies/approval.ts";
import type { BuiltinTool } from "../tools/builtin/builtin.ts";
import { inputTokensMax, tokenBytes } from "./context-window.ts";
import { DeltaStream } from "./delta-stream.ts";
import { ATTACHMENTS_BYTES_MAX, MODEL_STEPS_MAX } from "./limits.ts";
import { type ModelContext, runModelStep, type StepResult } from "./model-step.ts";
import { ToolImages, toToolOutcome, toToolRecord } from "./tool-record.ts";
import { runToolCall, toProgress } from "./tool-runner.ts";
import { recordMessage } from "./transcript.ts";
import type { TurnContext } from "./turn-context.ts";

/** The model of a turn, its context, and the tools that it may call. */
export interface Agent extends ModelContext {
  userMessage: ModelMessage;
  /** The tools that the engine runs, as the next step offers them. */
  offeredTools(): readonly BuiltinTool[];
  policy: ApprovalPolicy;
  /** Whether the model takes images of tools as attachments. */
  acceptsImages: boolean;
}

type Emit = (event: GraphEvent) => void;

/**
 * The `chat` graph: model steps and tool calls alternate until a step has no tool calls. Returns the text of all steps,
 * which equals the joined deltas.
 * @throws the reason of the signal; ModelFailure; EngineError; a fault inside a tool.
 */
export async function runAgent(turn: TurnContext, agent: Agent, emit: Emit): Promise<string> {
  const { peer, signal, journal } = turn;
  const onRetry = (retry: ModelRetry) => journal.onRetry(retry);
  const deltas = new DeltaStream({
    emit: (delta) => emit({ type: "model.delta", node_id: "model", delta }),
    caughtUp: () => peer.caughtUp(),
  });
  const messages: ModelMessage[] = [agent.userMessage];
  const images = new ToolImages(agent.acceptsImages ? ATTACHMENTS_BYTES_MAX : 0);
  try {
    for (let steps = 1; ; steps += 1) {
      const offered = agent.offeredTools();
      const textBefore = deltas.text.length;
      emit({ type: "node.started", node_id: "model" });
      const step = await runModelStep({
        context: agent,
        tools: [...offered.map(({ spec }) => spec), ...peer.uiTools()],
        turn: messages,
        deltas,
        signal,
        onRetry,
      });
      signal.throwIfAborted();
      emit({ type: "node.completed", node_id: "model" });
      noteUsage(turn, step);
      const { calls, replay } = step;
      if (calls.length === 0) return deltas.text;
      if (steps === MODEL_STEPS_MAX) {
        throw invalid(`The model gave no final answer within ${MODEL_STEPS_MAX} steps.`);
      }
      messages.push({ role: "step", content: deltas.text.slice(textBefore), calls, replay });
      emit({ type: "node.started", node_id: "tools" });
      messages.push(...(await runTools(turn, { agent, offered, calls, images })));
      emit({ type: "node.completed", node_id: "tools" });
    }
  } finally {
    deltas.close();
  }
}

/** The tool calls of one step. */
interface StepCalls {
  agent: Agent;
  offered: readonly BuiltinTool[];
  calls: readonly ToolCall[];
  images: ToolImages;
}

/** One after the other: the client gets one approval request at a time. */
async function runTools(
  turn: TurnContext,
  { agent, offered, calls, images }: StepCalls,
): Promise<ModelMessage[]> {
  const { deps, peer, thread, signal, journal } = turn;
  // All results share half of the input window, so that the model can continue.
  const share = tokenBytes(inputTokensMax(agent.contextWindow)) / 2 / calls.length;
  const callable = {
    tools: new Map(offered.map((tool) => [tool.name, tool])),
    policy: agent.policy,
  };
  const results = [];
  for (const call of calls) {
    const ended = await runToolCall(turn, callable, call);
    signal.throwIfAborted();
    const content = toToolRecord(ended);
    await recordMessage(deps, peer, { threadUuid: thread.uuid, role: "tool", content });
    journal.onTool({ ...toProgress(ended), state: ended.end.status, durationMs: ended.durationMs });
    signal.throwIfAborted();
    results.push(toToolOutcome(ended, Math.floor(share)));
    images.add(ended);
  }
  return [{ role: "tool", results }, ...images.take()];
}

function noteUsage({ deps, thread, journal }: TurnContext, { usage }: StepResult): void {
  if (!usage) return;
  journal.onUsage(usage);
  const { inputTokens, outputTokens } = usage;
  deps.log.info({ thread: thread.uuid, inputTokens, outputTokens }, "A model step ended.");
}
