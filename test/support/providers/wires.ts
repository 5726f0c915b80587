import { crc32 } from "node:zlib";

/** One message of Amazon's binary event stream: lengths, headers, payload, two checksums. */
export function toBedrockFrame(
  type: string,
  payload: object,
  messageType: "event" | "exception" = "event",
): Uint8Array {
  const headers = Buffer.concat([
    header(messageType === "event" ? ":event-type" : ":exception-type", type),
    header(":content-type", "application/json"),
    header(":message-type", messageType),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const head = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([head, checksum(head)]);
}

const STRING_TYPE = 7;

function header(name: string, value: string): Buffer {
  const head = Buffer.alloc(1 + name.length + 3);
  head.writeUInt8(name.length, 0);
  head.write(name, 1, "latin1");
  head.writeUInt8(STRING_TYPE, 1 + name.length);
  head.writeUInt16BE(value.length, 2 + name.length);
  return Buffer.concat([head, Buffer.from(value, "latin1")]);
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes) >>> 0);
  return sum;
}

/** What a scripted model says in one step. */
export type Said =
  | { text: string }
  | { call: { id: string; name: string; fragments: readonly string[] } };

/** How one provider's stream looks on the wire, and where it is configured. */
export interface ProviderWire {
  provider: string;
  /** Appended to the server's address for the configuration's base URL. */
  basePath: string;
  /** Where its requests must arrive. */
  path: string;
  contentType: string;
  configuration: object;
  /** A whole step, in the chunks in which it would be sent. */
  chunks(said: readonly Said[]): Uint8Array[];
  /** An error in the middle of a stream. */
  errorChunk(message: string): Uint8Array;
  /** The body of a refusal. */
  errorBody(message: string): object;
  /** Which header, whole, carries the key. */
  keyOf(headers: Record<string, string | string[] | undefined>): unknown;
}

const KEY = "sk-canary-0123456789abcdef";
export const PLANTED_KEY = KEY;
const USAGE = { in: 11, out: 7 };

const sse = (data: unknown) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
const event = (name: string, data: object) =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`);

const openaiCompatible: ProviderWire = {
  provider: "openai-compatible",
  basePath: "/v1",
  path: "/v1/chat/completions",
  contentType: "text/event-stream",
  configuration: { apiKey: KEY },
  chunks(said) {
    const choice = (delta: object, finish_reason: string | null = null) =>
      sse({ id: "c", choices: [{ index: 0, delta, finish_reason }] });
    const calls = said.filter((part) => "call" in part);
    return [
      ...said.flatMap((part) => {
        if ("text" in part) return [choice({ content: part.text })];
        const { id, name, fragments } = part.call;
        const index = calls.indexOf(part);
        return [
          choice({
            tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
          }),
          ...fragments.map((text) =>
            choice({ tool_calls: [{ index, function: { arguments: text } }] }),
          ),
        ];
      }),
      choice({}, calls.length > 0 ? "tool_calls" : "stop"),
      sse({
        id: "c",
        choices: [],
        usage: { prompt_tokens: USAGE.in, completion_tokens: USAGE.out, total_tokens: 18 },
      }),
      Buffer.from("data: [DONE]\n\n"),
    ];
  },
  errorChunk: (message) => sse({ error: { message, type: "server_error" } }),
  errorBody: (message) => ({ error: { message, type: "invalid_request_error", code: null } }),
  keyOf: ({ authorization }) => String(authorization).replace("Bearer ", ""),
};

const openai: ProviderWire = {
  provider: "openai",
  basePath: "",
  path: "/v1/responses",
  contentType: "text/event-stream",
  configuration: { apiKey: KEY },
  chunks(said) {
    const response = { id: "r", created_at: 1, model: "m" };
    return [
      event("response.created", { response }),
      ...said.flatMap((part, output_index) => {
        const id = `item-${output_index}`;
        if ("text" in part) {
          const item = { type: "message", id };
          return [
            event("response.output_item.added", { output_index, item }),
            event("response.output_text.delta", { item_id: id, output_index, delta: part.text }),
            event("response.output_item.done", { output_index, item }),
          ];
        }
        const { id: call_id, name, fragments } = part.call;
        const item = { type: "function_call", id, call_id, name };
        return [
          event("response.output_item.added", { output_index, item: { ...item, arguments: "" } }),
          ...fragments.map((delta) =>
            event("response.function_call_arguments.delta", { item_id: id, output_index, delta }),
          ),
          event("response.output_item.done", {
            output_index,
            item: { ...item, arguments: fragments.join(""), status: "completed" },
          }),
        ];
      }),
      event("response.completed", {
        response: { ...response, usage: { input_tokens: USAGE.in, output_tokens: USAGE.out } },
      }),
    ];
  },
  errorChunk: (message) =>
    event("error", {
      sequence_number: 1,
      error: { type: "server_error", code: "server_error", message, param: null },
    }),
  errorBody: openaiCompatible.errorBody,
  keyOf: openaiCompatible.keyOf,
};

const anthropic: ProviderWire = {
  provider: "anthropic",
  basePath: "",
  path: "/v1/messages",
  contentType: "text/event-stream",
  configuration: { apiKey: KEY },
  chunks(said) {
    const usage = { input_tokens: USAGE.in, output_tokens: 1 };
    const message = { type: "message", id: "m", role: "assistant", model: "m", content: [], usage };
    const hasCalls = said.some((part) => "call" in part);
    return [
      event("message_start", { message }),
      event("ping", {}),
      ...said.flatMap((part, index) => {
        const call = "call" in part ? part.call : undefined;
        const content_block = call
          ? { type: "tool_use", id: call.id, name: call.name, input: {} }
          : { type: "text", text: "" };
        const deltas = call
          ? call.fragments.map((partial_json) => ({ type: "input_json_delta", partial_json }))
          : [{ type: "text_delta", text: "text" in part ? part.text : "" }];
        return [
          event("content_block_start", { index, content_block }),
          ...deltas.map((delta) => event("content_block_delta", { index, delta })),
          event("content_block_stop", { index }),
        ];
      }),
      event("message_delta", {
        delta: { stop_reason: hasCalls ? "tool_use" : "end_turn", stop_sequence: null },
        usage: { output_tokens: USAGE.out },
      }),
      event("message_stop", {}),
    ];
  },
  errorChunk: (message) => event("error", { error: { type: "api_error", message } }),
  errorBody: (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
  keyOf: (headers) => headers["x-api-key"],
};

const google: ProviderWire = {
  provider: "google",
  basePath: "",
  path: "/v1beta/models/m:streamGenerateContent?alt=sse",
  contentType: "text/event-stream",
  configuration: { apiKey: KEY },
  chunks(said) {
    const chunk = (parts: object[], more: object = {}) =>
      sse({ candidates: [{ content: { role: "model", parts }, ...more }] });
    return [
      ...said.map((part) => {
        if ("text" in part) return chunk([{ text: part.text }]);
        const args = JSON.parse(part.call.fragments.join("") || "{}");
        return chunk([{ functionCall: { name: part.call.name, args } }]);
      }),
      sse({
        candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }],
        usageMetadata: { promptTokenCount: USAGE.in, candidatesTokenCount: USAGE.out },
      }),
    ];
  },
  errorChunk: (message) => sse({ error: { code: 500, message, status: "INTERNAL" } }),
  errorBody: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  keyOf: (headers) => headers["x-goog-api-key"],
};

const bedrock: ProviderWire = {
  provider: "bedrock",
  basePath: "",
  path: "/model/m/converse-stream",
  contentType: "application/vnd.amazon.eventstream",
  configuration: {
    region: "eu-west-1",
    cloudAccessKeyId: "cloud-id",
    cloudSecretAccessKey: KEY,
    cloudSessionToken: "cloud-session-canary",
  },
  chunks(said) {
    const hasCalls = said.some((part) => "call" in part);
    return [
      toBedrockFrame("messageStart", { role: "assistant" }),
      ...said.flatMap((part, contentBlockIndex) => {
        const delta = (value: object) =>
          toBedrockFrame("contentBlockDelta", { contentBlockIndex, delta: value });
        const stop = toBedrockFrame("contentBlockStop", { contentBlockIndex });
        if ("text" in part) return [delta({ text: part.text }), stop];
        const { id: toolUseId, name, fragments } = part.call;
        const start = { toolUse: { toolUseId, name } };
        return [
          toBedrockFrame("contentBlockStart", { contentBlockIndex, start }),
          ...fragments.map((input) => delta({ toolUse: { input } })),
          stop,
        ];
      }),
      toBedrockFrame("messageStop", { stopReason: hasCalls ? "tool_use" : "end_turn" }),
      toBedrockFrame("metadata", {
        usage: { inputTokens: USAGE.in, outputTokens: USAGE.out, totalTokens: 18 },
      }),
    ];
  },
  errorChunk: (message) => toBedrockFrame("modelStreamErrorException", { message }, "exception"),
  errorBody: (message) => ({ message }),
  keyOf: ({ authorization }) =>
    /^AWS4-HMAC-SHA256 Credential=cloud-id\//.test(String(authorization)) ? KEY : undefined,
};

const ollama: ProviderWire = {
  provider: "ollama",
  basePath: "/v1",
  path: "/api/chat",
  contentType: "application/x-ndjson",
  configuration: { apiKey: KEY },
  chunks(said) {
    const line = (part: object) =>
      Buffer.from(
        `${JSON.stringify({ model: "m", created_at: "2026-01-01T00:00:00Z", ...part })}\n`,
      );
    const message = (more: object) =>
      line({ message: { role: "assistant", content: "", ...more }, done: false });
    return [
      ...said.map((part) => {
        if ("text" in part) return message({ content: part.text });
        const { id, name, fragments } = part.call;
        const call = { name, arguments: JSON.parse(fragments.join("") || "{}") };
        return message({ tool_calls: [{ id, function: call }] });
      }),
      line({
        message: { role: "assistant", content: "" },
        done: true,
        done_reason: "stop",
        prompt_eval_count: USAGE.in,
        eval_count: USAGE.out,
      }),
    ];
  },
  errorChunk: (message) => Buffer.from(`${JSON.stringify({ error: message })}\n`),
  errorBody: (message) => ({ error: message }),
  keyOf: ({ authorization }) => String(authorization).replace("Bearer ", ""),
};

/** Every family of providers. */
export const PROVIDER_WIRES: readonly ProviderWire[] = [
  openaiCompatible,
  openai,
  anthropic,
  google,
  bedrock,
  ollama,
];

/** OpenAI's own address cannot be configured away: this `fetch` takes its requests to the test's server. */
export function reroutedFetch(serverUrl: string): typeof fetch {
  return (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    return fetch(url.replace("https://api.openai.com", serverUrl), init);
  };
}
