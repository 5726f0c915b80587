import { parseFrozenObject } from "../json-object.ts";
import type { ModelMessage, ModelRequest, ToolSpec } from "../language-model.ts";
import type { Dialect } from "./dialect.ts";
import type {
  SdkAssistantPart,
  SdkMessage,
  SdkOptions,
  SdkPart,
  SdkPrompt,
  SdkUserPart,
} from "./sdk.ts";

type UserMessage = Extract<ModelMessage, { role: "user" }>;
type StepMessage = Extract<ModelMessage, { role: "step" }>;
type SdkTool = NonNullable<SdkOptions["tools"]>[number];

const NOTHING = "(empty)";
const LEFT_OUT = "(What was said before is left out.)";

/** A request in the form that provider packages take. */
export function toPrompt(request: ModelRequest, dialect: Dialect): SdkPrompt {
  const newest = request.messages.findLastIndex(({ role }) => role === "user");
  const messages = request.messages
    .filter((message, at) => !isSilent(message) || at === newest)
    .map((message) => toSdkMessage(message, dialect));
  const first = messages[0];
  if (dialect.strict && first && first.role !== "user") messages.unshift(toUserText(LEFT_OUT));
  if (request.instructions.trim() === "") return messages;
  return [{ role: "system", content: request.instructions }, ...messages];
}

export function toSdkTools(tools: readonly ToolSpec[]): SdkTool[] | undefined {
  if (tools.length === 0) return undefined;
  return tools.map(({ name, doc, parameters }) => ({
    type: "function",
    name,
    description: doc,
    inputSchema: parameters,
  }));
}

// Providers reject empty messages; only the user's newest one is always sent.
function isSilent(message: ModelMessage): boolean {
  if (message.role === "tool" || message.role === "step") return false;
  const hasFiles = message.role === "user" && (message.attachments?.length ?? 0) > 0;
  return message.content.trim() === "" && !hasFiles;
}

function toSdkMessage(message: ModelMessage, dialect: Dialect): SdkMessage {
  switch (message.role) {
    case "user":
      return toUserMessage(message, dialect);
    case "system":
      return dialect.strict
        ? toUserText(`System message:\n${message.content}`)
        : { role: "system", content: message.content };
    case "assistant":
      return { role: "assistant", content: [{ type: "text", text: message.content }] };
    case "step":
      return { role: "assistant", content: toStepContent(message) };
    case "tool":
      return {
        role: "tool",
        content: message.results.map(({ toolCallId, toolName, output, failed }) => ({
          type: "tool-result",
          toolCallId,
          toolName,
          output: { type: failed ? "error-text" : "text", value: output || NOTHING },
        })),
      };
  }
}

function toUserMessage({ content, attachments = [] }: UserMessage, dialect: Dialect): SdkMessage {
  const files = attachments.map((attachment, at) => dialect.toFilePart(attachment, at));
  const text = content.trim() === "" && dialect.strict ? NOTHING : content;
  const parts: SdkUserPart[] = [{ type: "text", text }, ...files];
  return { role: "user", content: parts };
}

function toUserText(text: string): SdkMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

function toStepContent({ content, calls, replay }: StepMessage): SdkAssistantPart[] {
  if (replay instanceof StepReplay) return [...replay.content];
  const parts: SdkAssistantPart[] = calls.map(({ toolCallId, toolName, argumentsText }) => ({
    type: "tool-call",
    toolCallId,
    toolName,
    input: parseArguments(argumentsText),
  }));
  return content === "" ? parts : [{ type: "text", text: content }, ...parts];
}

type SpokenPart = Extract<SdkAssistantPart, { type: "text" | "reasoning" }>;
type SpokenEvent = Extract<SdkPart, { type: `${SpokenPart["type"]}-${"start" | "delta" | "end"}` }>;

/** A step in the form that its own provider accepts back: in order, with thinking signatures and ids. */
class StepReplay {
  readonly content: readonly SdkAssistantPart[];

  constructor(content: readonly SdkAssistantPart[]) {
    this.content = content;
  }
}

/** Collects the parts of a step while they stream. */
export class ReplayRecorder {
  readonly #parts: SdkAssistantPart[] = [];
  readonly #open = new Map<string, SpokenPart>();

  record(part: SdkPart): void {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        this.#speak("text", part);
        return;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.#speak("reasoning", part);
        return;
      case "tool-call":
        if (!part.providerExecuted) this.#parts.push(toCallPart(part));
        return;
      default:
      // Other parts are not sent back to a provider.
    }
  }

  /** Texts without content and metadata are left out: providers reject them. */
  finish(): StepReplay {
    for (const part of this.#parts) if ("text" in part) part.text = part.text.toWellFormed();
    const said = this.#parts.filter(
      (part) => part.type !== "text" || part.text !== "" || part.providerOptions,
    );
    return new StepReplay(said);
  }

  #speak(type: SpokenPart["type"], event: SpokenEvent): void {
    const key = `${type} ${event.id}`;
    // Some packages send no start.
    const begins = event.type.endsWith("-start") || ("delta" in event && !this.#open.has(key));
    if (begins) {
      const begun: SpokenPart = { type, text: "" };
      this.#open.set(key, begun);
      this.#parts.push(begun);
    }
    const part = this.#open.get(key);
    if (!part) return;
    if ("delta" in event) part.text += event.delta;
    if (event.providerMetadata) part.providerOptions = event.providerMetadata;
  }
}

function toCallPart(part: Extract<SdkPart, { type: "tool-call" }>): SdkAssistantPart {
  const { toolCallId, toolName, input, providerMetadata } = part;
  return {
    type: "tool-call",
    toolCallId,
    toolName,
    input: parseArguments(input),
    ...(providerMetadata && { providerOptions: providerMetadata }),
  };
}

/** The model's arguments. Anything that no tool takes becomes an empty object: providers accept nothing else. */
function parseArguments(text: string): object {
  return parseFrozenObject(text) ?? {};
}
