import { z } from "@hono/zod-openapi";
import { type ChatPorts, chatPorts } from "../../../engine/chat/ports.ts";
import type {
  LanguageModel,
  ModelPart,
  ModelRequest,
} from "../../../engine/models/language-model.ts";
import { WINDOW_TOKENS_DEFAULT } from "../../../engine/models/limits.ts";
import type { ResolvedModel } from "../../../engine/models/resolve.ts";
import type { BuiltinTool, Reach, ToolContext } from "../../../engine/tools/builtin/builtin.ts";
import { defineTool } from "../../../engine/tools/builtin/define.ts";

/** What a scripted step does: says, calls, throws, or waits for whatever the test wants. */
export type ScriptedStep =
  | readonly ScriptedPart[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>);

type ScriptedPart =
  | string
  | { think: string }
  | { call: string; id?: string; args: unknown }
  | Error;

/** A model that follows a script, one entry a step, and remembers what it was asked. */
export class ScriptedModel implements LanguageModel {
  readonly requests: ModelRequest[] = [];
  readonly #steps: ScriptedStep[];

  constructor(...steps: ScriptedStep[]) {
    this.#steps = steps;
  }

  add(...steps: ScriptedStep[]): void {
    this.#steps.push(...steps);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    this.requests.push(structuredClone(request));
    const step = this.#steps.shift() ?? [];
    if (typeof step === "function") {
      yield* step(request, signal);
      return;
    }
    for (const part of step) {
      if (part instanceof Error) throw part;
      yield toPart(part);
    }
    yield { type: "end", usage: undefined };
  }
}

let calls = 0;

function toPart(part: Exclude<ScriptedPart, Error>): ModelPart {
  if (typeof part === "string") return { type: "delta", text: part };
  if ("think" in part) return { type: "reasoning", text: part.think };
  const { call, id, args } = part;
  calls += 1;
  const argumentsText = typeof args === "string" ? args : JSON.stringify(args);
  const toolCallId = id ?? `call-${calls}`;
  return { type: "tool-call", call: { toolCallId, toolName: call, argumentsText } };
}

/** Chat over a scripted model, and over the given tools instead of the built-in ones. */
export function scriptedChat(
  model: LanguageModel,
  options: {
    tools?: readonly BuiltinTool[];
    contextWindow?: number;
    resolved?: Partial<ResolvedModel>;
  } = {},
): ChatPorts {
  const { tools, contextWindow = WINDOW_TOKENS_DEFAULT, resolved } = options;
  return {
    resolveModel: async () => ({
      id: "scripted",
      persist: undefined,
      window: async () => ({ window: contextWindow, source: "stated" }),
      acceptsAttachments: true,
      canSummarize: true,
      notices: [],
      refusesTools: () => false,
      noteRefusedTools() {},
      create: async () => model,
      ...resolved,
    }),
    builtinToolsForTurn: (policy) => {
      // The policy is parsed as ever, so that a malformed one is found.
      const builtins = chatPorts.builtinToolsForTurn(policy);
      if (!policy.toolsEnabled) return [];
      return tools ? [...tools] : builtins;
    },
  };
}

/** A tool that takes `{value}` and does what the test says. */
export function testTool(
  name: string,
  run: (value: unknown, context: ToolContext, signal: AbortSignal) => Promise<unknown>,
  reach?: () => Promise<Reach>,
): BuiltinTool {
  return defineTool({
    group: "test",
    name,
    doc: `Does ${name}.`,
    parameters: z.object({ value: z.unknown().optional() }),
    reach,
    run: (context, { value }, signal) => run(value, context, signal),
  });
}
