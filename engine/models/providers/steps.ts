import { isJsonObject } from "../../../shared/json.ts";
import { retry } from "../../../shared/retry.ts";
import type { EngineDeps } from "../../deps.ts";
import {
  type LanguageModel,
  ModelFailure,
  type ModelPart,
  type ModelRequest,
  type ModelRetry,
  type ModelUsage,
} from "../language-model.ts";
import {
  MODEL_CALLS_MAX,
  MODEL_RETRY_WAIT_MS,
  MODEL_RETRY_WAIT_MS_MAX,
  MODEL_TEXT_CHARACTERS_MAX,
} from "../limits.ts";
import { WholeCodePoints } from "../whole-code-points.ts";
import type { ModelParameters } from "../wire.ts";
import { type Dialect, toFields } from "./dialect.ts";
import { type FailingModel, isAboutTools, toModelFailure } from "./failures.ts";
import { ReplayRecorder, toPrompt, toSdkTools } from "./prompt.ts";
import { type ProviderError, readProviderError } from "./provider-error.ts";
import type { SdkFinish, SdkModel, SdkPart, SdkStream } from "./sdk.ts";
import { type WireWatch, watchWire } from "./wire-watch.ts";

type StepDeps = Pick<EngineDeps, "fetch" | "timers" | "clock" | "log">;

interface StepSource {
  /** For the log. */
  label: { modelConfigurationId: string; provider: string; model: string };
  dialect: Dialect;
  parameters: ModelParameters;
  /** In tokens. */
  contextWindow: number;
  failing: FailingModel;
  /** The maximum number of retries of a request. */
  retriesMax: number;
  /** The model of the package, for one step: all that it requests goes through this `fetch`. */
  connect(fetch: typeof globalThis.fetch): Promise<SdkModel>;
}

/** The steps of a model of a provider package: one request each, whose parts are forwarded as they arrive. */
export function toLanguageModel(deps: StepDeps, source: StepSource): LanguageModel {
  return {
    async *stream(request, signal, onRetry) {
      signal.throwIfAborted();
      using wire = watchWire(deps, signal);
      try {
        const answer = await ask(deps, source, { request, wire, onRetry });
        const end = yield* forward(answer, wire);
        deps.log.debug({ ...source.label, ...end.usage }, "A provider ended a model step.");
        yield end;
      } catch (error) {
        signal.throwIfAborted();
        const failure = wire.fault() ?? toFailure(error, source.failing, { request, wire });
        const fault = error instanceof Error ? error.name : typeof error;
        deps.log.warn({ ...source.label, fault, reason: failure.message }, "A model step failed.");
        throw failure;
      }
    },
  };
}

/** One step: what is asked, and how its request travels. */
interface Step {
  request: ModelRequest;
  wire: WireWatch;
  onRetry?: ((retry: ModelRetry) => void) | undefined;
}

function toFailure(error: unknown, failing: FailingModel, { request, wire }: Step): ModelFailure {
  return toModelFailure(error, { ...failing, request, answering: wire.answering() });
}

/** The stream of an answer. Sends a request again that the provider could not take, unless it has begun its response. */
async function ask(
  { timers, clock, log }: StepDeps,
  source: StepSource,
  step: Step,
): Promise<SdkStream> {
  const { dialect, parameters, contextWindow, retriesMax, failing } = source;
  const { request, wire, onRetry } = step;
  const effort = request.reasoningEffort;
  const model = await source.connect(wire.fetch);
  const { providerOptions } = dialect;
  const options = {
    prompt: toPrompt(request, dialect),
    tools: toSdkTools(request.tools),
    abortSignal: wire.signal,
    ...(providerOptions && { providerOptions }),
    ...(dialect.toOptions?.(parameters, contextWindow, effort) ?? toFields(parameters, effort)),
  };
  const waitMs = (error: unknown, attempt: number) => {
    const read = readProviderError(error);
    // Some packages read the first events of a response before they return it. After an error about tools the caller
    // changes the request.
    if (wire.answering() || attempt > retriesMax || isAboutTools(read, request)) return undefined;
    const afterMs = retryWaitMs(read, attempt, clock.now());
    if (afterMs === undefined) return undefined;
    const fields = { status: read.status, networkCode: read.networkCode, waitMs: afterMs };
    log.info(fields, "A model provider did not take a request; it is sent again.");
    onRetry?.({ attempt, afterMs, reason: toFailure(error, failing, step).message });
    return afterMs;
  };
  const doStep = () => model.doStream(options);
  return (await retry(doStep, { timers, signal: wire.signal, waitMs })).stream;
}

/** The text and the thinking of a step, on their way to whole characters. */
class Spoken {
  readonly text = new WholeCodePoints();
  readonly #thoughts = new WholeCodePoints();
  #thought: string | undefined;

  /** One thought after another begins with an empty line. */
  think(id: string, delta: string): string {
    const gap = this.#thought === undefined || this.#thought === id ? "" : "\n\n";
    this.#thought = id;
    const shown = this.#thoughts.push(delta);
    return shown === "" ? "" : gap + shown;
  }

  endThought(): string {
    return this.#thoughts.flush();
  }
}

/** Yields deltas, thinking and tool calls; returns the `end` part of a complete step. */
async function* forward(
  answer: SdkStream,
  wire: WireWatch,
): AsyncGenerator<ModelPart, Extract<ModelPart, { type: "end" }>> {
  const replay = new ReplayRecorder();
  const spoken = new Spoken();
  const progress = { characters: 0, thoughts: 0, begun: 0, calls: 0 };
  let finish: SdkFinish | undefined;
  // Node's streams are iterable; the DOM's types do not say so.
  for await (const part of answer as unknown as AsyncIterable<SdkPart>) {
    if (part.type === "finish") finish = part;
    // A package may hold the calls themselves back until the end.
    if (part.type === "tool-input-start" && ++progress.begun > MODEL_CALLS_MAX)
      throw tooManyCalls();
    if (part.type === "error" && !isMissingReason(part.error)) throw part.error;
    for (const forwarded of toModelParts(part, spoken)) {
      count(progress, forwarded);
      yield forwarded;
    }
    // Behind the count: it parses the arguments of a call.
    replay.record(part);
  }
  checkFinish(finish, progress, wire);
  return { type: "end", usage: toUsage(finish), replay: replay.finish() };
}

function* toModelParts(part: SdkPart, spoken: Spoken): Generator<ModelPart> {
  if (part.type === "text-delta" || part.type === "text-end") {
    const { text } = spoken;
    const shown = part.type === "text-delta" ? text.push(part.delta) : text.flush();
    if (shown !== "") yield { type: "delta", text: shown };
  }
  if (part.type === "reasoning-delta" || part.type === "reasoning-end") {
    const shown =
      part.type === "reasoning-delta" ? spoken.think(part.id, part.delta) : spoken.endThought();
    if (shown !== "") yield { type: "reasoning", text: shown };
  }
  if (part.type === "tool-call" && !part.providerExecuted) {
    const { toolCallId, toolName, input } = part;
    const argumentsText = input.trim() === "" ? "{}" : input;
    yield { type: "tool-call", call: { toolCallId, toolName, argumentsText } };
  }
}

function count(
  progress: { characters: number; thoughts: number; calls: number },
  part: ModelPart,
): void {
  if (part.type === "tool-call") {
    progress.calls += 1;
    const { toolCallId, toolName, argumentsText } = part.call;
    progress.characters += toolCallId.length + toolName.length + argumentsText.length;
  }
  if (part.type === "delta") progress.characters += part.text.length;
  if (part.type === "reasoning") progress.thoughts += part.text.length;
  if (progress.characters + progress.thoughts > MODEL_TEXT_CHARACTERS_MAX) {
    throw new ModelFailure("The model's answer is too long.");
  }
  if (progress.calls > MODEL_CALLS_MAX) throw tooManyCalls();
}

function tooManyCalls(): ModelFailure {
  return new ModelFailure(`The model called more than ${MODEL_CALLS_MAX} tools at once.`);
}

// Left to `checkFinish`: some servers send no finish reason, but a final `[DONE]`.
function isMissingReason(error: unknown): boolean {
  return error instanceof Error && /without a finish reason/.test(error.message);
}

// Packages report another reason for an answer that was cut off.
const WHOLE: ReadonlySet<string> = new Set(["stop", "length", "content-filter", "tool-calls"]);

function checkFinish(
  finish: SdkFinish | undefined,
  progress: { characters: number; calls: number },
  wire: WireWatch,
): asserts finish is SdkFinish {
  const reason = finish?.finishReason;
  const isWhole = reason && (reason.raw !== undefined || WHOLE.has(reason.unified));
  if (!reason || (!isWhole && !wire.sawDone())) {
    throw new ModelFailure("The model's answer broke off before it was complete.");
  }
  if (reason.unified === "error" && !wire.sawDone()) {
    throw new ModelFailure("The model provider ended the answer with an error.");
  }
  if (reason.unified === "content-filter" && progress.characters + progress.calls === 0) {
    throw new ModelFailure("The model provider withheld the answer (content filter).");
  }
}

function toUsage({ usage }: SdkFinish): ModelUsage | undefined {
  const [inputTokens, outputTokens] = [usage.inputTokens.total, usage.outputTokens.total];
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cachedInputTokens: cachedTokens(usage.raw) };
}

const CACHED_NAMES = [
  "cached_tokens",
  "cache_read_input_tokens",
  "cachedContentTokenCount",
  "cacheReadInputTokens",
  "prompt_cache_hit_tokens",
];

/** Of the provider's own report: packages say 0 where it has nothing. */
function cachedTokens(raw: unknown): number | undefined {
  if (!isJsonObject(raw)) return undefined;
  const places = [raw, raw.prompt_tokens_details, raw.input_tokens_details].filter(isJsonObject);
  return places
    .flatMap((place) => CACHED_NAMES.map((name) => place[name]))
    .find((count) => typeof count === "number");
}

/** Undefined if a retry would fail as well, or would be too late. */
function retryWaitMs(error: ProviderError, attempt: number, nowMs: number): number | undefined {
  if (!error.retryable) return undefined;
  const waitMs = askedWaitMs(error.headers, nowMs) ?? MODEL_RETRY_WAIT_MS * 2 ** (attempt - 1);
  return waitMs <= MODEL_RETRY_WAIT_MS_MAX ? Math.max(0, waitMs) : undefined;
}

// RFC 9110 §10.2.3: seconds or a date. OpenAI and Azure also send `retry-after-ms`.
function askedWaitMs(headers: ProviderError["headers"], nowMs: number): number | undefined {
  const asked = headers["retry-after"];
  const waits = [
    Number.parseFloat(headers["retry-after-ms"] ?? ""),
    /^\s*\d+(\.\d+)?\s*$/.test(asked ?? "") ? Number(asked) * 1000 : Number.NaN,
    Date.parse(asked ?? "") - nowMs,
  ];
  return waits.find((waitMs) => Number.isFinite(waitMs));
}
