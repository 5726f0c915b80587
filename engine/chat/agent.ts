import { invalid } from "../errors.ts";
import type { GraphEvent } from "../events/event.ts";
import {
  type LanguageModel,
  ModelFailure,
  type ModelRequest,
  type ModelUsage,
  type ToolCall,
  type ToolSpec,
} from "../models/language-model.ts";
import type { ApprovalPolicy } from "../policies/operations.ts";
import type { BuiltinTool } from "../tools/builtin/builtin.ts";
import { eachUntilAborted, untilAborted } from "../until-aborted.ts";
import { DeltaStream } from "./delta-stream.ts";
import { ATTACHMENTS_BYTES_MAX, MODEL_STEPS_MAX } from "./limits.ts";
import { createImageCollector, type EndedCall, toSentResult } from "./tool-record.ts";
import { runRecordedCall } from "./tool-runner.ts";
import type { TurnContext } from "./turn-context.ts";
import type { TurnInput } from "./turn-input.ts";
import type { FittedTools } from "./turn-tools.ts";
import { goWithoutTools } from "./without-tools.ts";

/** The model of a turn, what it gets, and the tools that it may call. */
export interface Agent {
  model: LanguageModel;
  input: TurnInput;
  /** The tools as the next step offers them. */
  offeredTools(): FittedTools;
  policy: ApprovalPolicy;
  /** Whether the model takes images of tools as attachments. */
  acceptsImages: boolean;
  /** What its configuration is known for. */
  support: { refusesTools(): boolean; noteRefusedTools(): void };
  /** The user's text, for a model that cannot search by itself. */
  question: string;
  /** Undefined if it is switched off. */
  searchTool: BuiltinTool | undefined;
  /** The instructions of a model that gets no tools. */
  instructionsWithoutTools: string;
}

type Emit = (event: GraphEvent) => void;

const NO_TOOLS: FittedTools = { offered: [], uiTools: [], omittedToolGroups: [] };

/**
 * The `chat` graph: model steps and tool calls alternate until a step has no tool calls. Returns the text of all steps,
 * which equals the joined deltas.
 * @throws the reason of the signal; ModelFailure; EngineError; a fault inside a tool.
 */
export async function runAgent(turn: TurnContext, agent: Agent, emit: Emit): Promise<string> {
  const { peer, signal, journal } = turn;
  const deltas = new DeltaStream({
    emit: (delta) => emit({ type: "model.delta", node_id: "model", delta }),
    caughtUp: () => peer.caughtUp(),
  });
  // No reader holds it up: frames have no thinking.
  const thoughts = new DeltaStream({
    emit: (delta) => journal.onReasoning(delta),
    caughtUp: () => undefined,
  });
  const collectImages = createImageCollector(agent.acceptsImages ? ATTACHMENTS_BYTES_MAX : 0);
  const ask = ({ offered, uiTools }: FittedTools) => {
    const tools = [...offered.map(({ spec }) => spec), ...uiTools];
    return runModelStep(turn, agent, { tools, deltas, thoughts });
  };
  let takesTools = true;
  /** The first step shows whether the model takes tools. */
  const askFirst = async (tools: FittedTools) => {
    const isKnown = agent.support.refusesTools();
    try {
      if (!isKnown || isEmpty(tools)) return await ask(tools);
    } catch (error) {
      const isRefusal = error instanceof ModelFailure && error.refusesTools;
      if (!isRefusal || deltas.text !== "") throw error;
    }
    takesTools = false;
    await goWithoutTools(turn, agent);
    const step = await ask(NO_TOOLS);
    if (!isKnown) agent.support.noteRefusedTools();
    return step;
  };
  try {
    for (let steps = 1; ; steps += 1) {
      const tools = takesTools ? agent.offeredTools() : NO_TOOLS;
      const textBefore = deltas.text.length;
      emit({ type: "node.started", node_id: "model" });
      const step = await (steps === 1 ? askFirst(tools) : ask(tools));
      signal.throwIfAborted();
      emit({ type: "node.completed", node_id: "model" });
      noteUsage(turn, step);
      const { calls, replay } = step;
      if (calls.length === 0) return deltas.text;
      if (steps === MODEL_STEPS_MAX) {
        throw invalid(`The model gave no final answer within ${MODEL_STEPS_MAX} steps.`);
      }
      const content = deltas.text.slice(textBefore);
      agent.input.addStep({ role: "step", content, calls, replay });
      emit({ type: "node.started", node_id: "tools" });
      const ended = await runTools(turn, agent, { offered: tools.offered, calls });
      agent.input.addImages(collectImages(ended));
      emit({ type: "node.completed", node_id: "tools" });
    }
  } finally {
    deltas.close();
    // Also of a turn that failed.
    await thoughts.flush();
    thoughts.close();
  }
}

function isEmpty({ offered, uiTools }: FittedTools): boolean {
  return offered.length === 0 && uiTools.length === 0;
}

interface StepCalls {
  offered: readonly BuiltinTool[];
  calls: readonly ToolCall[];
}

/** One after the other: the client gets one approval request at a time. */
async function runTools(
  turn: TurnContext,
  { input, policy }: Agent,
  { offered, calls }: StepCalls,
): Promise<EndedCall[]> {
  const ended: EndedCall[] = [];
  const tools = new Map(offered.map((tool) => [tool.name, tool]));
  for (const [at, call] of calls.entries()) {
    const resultBytes = input.roomForResult(calls.length - at);
    const one = await runRecordedCall(turn, { tools, policy, resultBytes }, call);
    input.addResult(toSentResult(one, Math.min(resultBytes, one.resultBytesMax)));
    ended.push(one);
  }
  return ended;
}

function noteUsage({ deps, thread, journal }: TurnContext, { usage }: StepResult): void {
  if (!usage) return;
  journal.onUsage(usage);
  const { inputTokens, outputTokens } = usage;
  deps.log.info({ thread: thread.uuid, inputTokens, outputTokens }, "A model step ended.");
}

/** What a model step is offered, and where what it says goes. */
interface StepInput {
  tools: readonly ToolSpec[];
  deltas: DeltaStream;
  /** What the model thinks, in all steps of the turn. */
  thoughts: DeltaStream;
}

/** The result of one model step; its text is in the deltas. */
interface StepResult {
  calls: ToolCall[];
  replay: unknown;
  usage: ModelUsage | undefined;
}

/**
 * One model step. If the provider rejects the input as too long, the step is retried once with half of it.
 * @throws the reason of the signal; ModelFailure; EngineError `invalid` if nothing fits.
 */
async function runModelStep(turn: TurnContext, agent: Agent, step: StepInput): Promise<StepResult> {
  const { journal, reasoningEffort } = turn;
  const { input } = agent;
  const { tools, deltas } = step;
  const textBefore = deltas.text.length;
  for (const isFirst of [true, false]) {
    const request = { ...input.compose(tools), reasoningEffort };
    journal.onSent(input.context, input.sources);
    try {
      return await readStep(turn, agent.model, { ...step, request });
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

async function readStep(
  { signal, journal }: TurnContext,
  model: LanguageModel,
  { request, deltas, thoughts }: StepInput & { request: ModelRequest },
): Promise<StepResult> {
  const parts = model.stream(request, signal, (retry) => journal.onRetry(retry));
  const calls: ToolCall[] = [];
  let gap = thoughts.text === "" ? "" : "\n\n";
  for await (const part of eachUntilAborted(signal, parts)) {
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
  return { calls, replay: undefined, usage: undefined };
}
