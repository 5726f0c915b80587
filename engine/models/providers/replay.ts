import { parseFrozenObject } from "../json-object.ts";
import type { SdkAssistantPart, SdkPart } from "./sdk.ts";

type Metadata = NonNullable<Extract<SdkAssistantPart, { type: "text" }>["providerOptions"]>;
type SpokenPart = Extract<SdkAssistantPart, { type: "text" | "reasoning" }>;

/** A step in the form that its own provider accepts back: in order, with thinking signatures and ids. */
export class StepReplay {
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
      case "reasoning-start":
        this.#start(
          part.type === "text-start" ? "text" : "reasoning",
          part.id,
          part.providerMetadata,
        );
        return;
      case "text-delta":
      case "reasoning-delta":
        this.#extend(part.type === "text-delta" ? "text" : "reasoning", part);
        return;
      case "text-end":
      case "reasoning-end":
        this.#end(part.type === "text-end" ? "text" : "reasoning", part.id, part.providerMetadata);
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
    const said = this.#parts.filter(
      (part) => part.type !== "text" || part.text !== "" || part.providerOptions,
    );
    return new StepReplay(said);
  }

  #start(type: SpokenPart["type"], id: string, providerOptions: Metadata | undefined): SpokenPart {
    const part: SpokenPart = { type, text: "", ...(providerOptions && { providerOptions }) };
    this.#open.set(`${type} ${id}`, part);
    this.#parts.push(part);
    return part;
  }

  #extend(
    type: SpokenPart["type"],
    { id, delta, providerMetadata }: { id: string; delta: string; providerMetadata?: Metadata },
  ): void {
    const part = this.#open.get(`${type} ${id}`) ?? this.#start(type, id, undefined);
    part.text += delta;
    if (providerMetadata) part.providerOptions = providerMetadata;
  }

  #end(type: SpokenPart["type"], id: string, providerOptions: Metadata | undefined): void {
    const part = this.#open.get(`${type} ${id}`);
    if (!part) return;
    part.text = part.text.toWellFormed();
    if (providerOptions) part.providerOptions = providerOptions;
    this.#open.delete(`${type} ${id}`);
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
export function parseArguments(text: string): object {
  return parseFrozenObject(text) ?? {};
}
