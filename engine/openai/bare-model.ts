import { utf8 } from "../../shared/bytes.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import { readServerSentEvents } from "../client/server-sent-events.ts";
import type { ModelConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { eventStreamResponse, toStream } from "../http/event-stream.ts";
import { loadProvider } from "../models/providers/create-model.ts";
import { countCallStatement } from "../turns/record-store.ts";
import { addUsage, NOTHING_USED } from "../turns/token-counts.ts";
import { toDay } from "../turns/usage-wire.ts";
import {
  type CompletionRequest,
  findForeignAddress,
  toProviderBody,
  wantsUsage,
} from "./completion-request.ts";
import { badField, errorBody, OpenAiError } from "./errors.ts";
import { isPrivateAddress } from "./private-address.ts";
import { callProvider, type ProviderCall, readAnswer } from "./provider-call.ts";

const NOT_UNDERSTOOD = "The provider's answer could not be understood.";
const BROKEN_OFF = "The provider broke off its answer.";

type BareDeps = Pick<EngineDeps, "db" | "vault" | "fetch" | "timers" | "clock" | "log">;

/**
 * Passes a call on to the model's own provider, and its answer back as it is.
 * @throws OpenAiError 400, 429, 502; EngineError `credential_store`
 */
export async function answerBare(
  deps: BareDeps,
  row: ModelConfigurationRow,
  { request, signal }: { request: CompletionRequest; signal: AbortSignal },
): Promise<Response> {
  const { provider, settings, headers } = await loadProvider(deps, row);
  if (!provider.openaiUrl) throw new OpenAiError(400, "This model has no such address.");
  const url = `${provider.openaiUrl}/chat/completions`;
  await requireOwnContent(url, request);
  const call = await callProvider(
    deps,
    { url, apiKey: settings.apiKey, headers },
    { body: toProviderBody(request, row.model), signal },
  );
  if (request.stream === true) {
    return eventStreamResponse(toStream(passOn(deps, row, { call, request, signal })));
  }
  using open = call;
  const { asItIs, json } = await readAnswer(open);
  await countCall(deps, row.id, json.usage);
  return asItIs;
}

/** The engine opens nothing that a part names, and a server in its own network must not either. @throws OpenAiError 400 */
async function requireOwnContent(url: string, { messages }: CompletionRequest): Promise<void> {
  const foreign = findForeignAddress(messages);
  if (foreign && (await isPrivateAddress(new URL(url).hostname))) {
    throw badField(
      foreign.param,
      "must be a data URL: this model runs in the network of the engine",
    );
  }
}

/** The events of a streamed answer. One that does not end as it should has an error, and no `[DONE]`. */
async function* passOn(
  deps: BareDeps,
  { id }: ModelConfigurationRow,
  {
    call,
    request,
    signal,
  }: { call: ProviderCall; request: CompletionRequest; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  using open = call;
  const { body } = open.response;
  let usage: unknown;
  let isComplete = false;
  try {
    for await (const { data } of body ? readServerSentEvents(body) : []) {
      if (data === "[DONE]") {
        isComplete = true;
        break;
      }
      const chunk = parseJson(data);
      if (!isJsonObject(chunk)) throw new OpenAiError(502, NOT_UNDERSTOOD);
      usage = chunk.usage ?? usage;
      if (!isUsageAlone(chunk) || wantsUsage(request)) yield toEvent(data);
      // A provider that fails in the middle says so in an event, and may end as if it had not.
      if (isJsonObject(chunk.error)) return;
      isComplete ||= hasFinished(chunk);
    }
    signal.throwIfAborted();
    yield toEvent(isComplete ? "[DONE]" : errorBody(new OpenAiError(502, BROKEN_OFF), deps.log));
  } catch (error) {
    yield toEvent(errorBody(signal.aborted ? signal.reason : open.toFailure(error), deps.log));
  } finally {
    await countCall(deps, id, usage);
  }
}

function toEvent(data: string): Uint8Array {
  return utf8(`data: ${data.replaceAll("\n", "\ndata: ")}\n\n`);
}

/** The chunk that only reports the usage. */
function isUsageAlone({ choices, usage }: Readonly<Record<string, unknown>>): boolean {
  return isJsonObject(usage) && Array.isArray(choices) && choices.length === 0;
}

function hasFinished({ choices }: Readonly<Record<string, unknown>>): boolean {
  return (
    Array.isArray(choices) &&
    choices.some((choice) => isJsonObject(choice) && typeof choice.finish_reason === "string")
  );
}

/** Counts a call of a bare model in `/usage`, with what its provider reported. Its failure is no reason to fail the call. */
async function countCall(
  { db, clock, log }: Pick<EngineDeps, "db" | "clock" | "log">,
  model: string,
  usage: unknown,
): Promise<void> {
  const reported = isJsonObject(usage) ? usage : {};
  const details = isJsonObject(reported.prompt_tokens_details)
    ? reported.prompt_tokens_details
    : {};
  const used = addUsage(NOTHING_USED, {
    inputTokens: toNumber(reported.prompt_tokens),
    outputTokens: toNumber(reported.completion_tokens),
    cachedInputTokens: toNumber(details.cached_tokens),
  });
  // A call is in no workspace and no thread.
  const call = { day: toDay(clock.now()), workspaceUuid: "", threadUuid: "", model, ...used };
  try {
    await db.$client.execute(countCallStatement(call));
  } catch (error) {
    log.warn({ error }, "The usage of a call could not be stored.");
  }
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
