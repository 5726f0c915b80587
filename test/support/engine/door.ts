import type { ClientScope } from "../../../engine/client-keys/wire.ts";
import { json } from "../http.ts";
import { type ProviderServer, startProviderServer } from "../providers/server.ts";
import { createTestEngine, type EngineOverrides, type TestEngine } from "./engine.ts";

/** Where clients find the interface. */
export const BASE_URL = "http://127.0.0.1/openai/v1";

/** What a client key may be made with. */
interface KeyInput {
  scopes?: ClientScope[];
  workspaceUuids?: string[];
  expiresAt?: string;
}

/** An engine with the OpenAI-compatible interface, a model behind it, and a scripted provider of that model. */
export interface DoorBench extends AsyncDisposable {
  test: TestEngine;
  server: ProviderServer;
  /** The id of the configured model; its name at the provider is `m`. */
  modelId: string;
  createKey(input?: KeyInput): Promise<{ uuid: string; key: string }>;
  /** A request to `/openai/v1` with a key. */
  ask(key: string, path: string, body?: unknown, init?: RequestInit): Promise<Response>;
}

export async function createDoorBench(overrides: EngineOverrides = {}): Promise<DoorBench> {
  const server = await startProviderServer();
  const test = await createTestEngine({ fetch: globalThis.fetch, ...overrides });
  const configuration = {
    provider: "openai-compatible",
    model: "m",
    alias: "Alias",
    baseUrl: `${server.url}/v1`,
    apiKey: PROVIDER_KEY,
  };
  const { id } = await json(await test.call("POST", "/model-configurations", configuration), 201);
  return {
    test,
    server,
    modelId: id,
    createKey: async (input = {}) => {
      const body = { name: "Program", scopes: ["models", "workspaces", "embeddings"], ...input };
      return await json(await test.call("POST", "/client-keys", body), 201);
    },
    ask: async (key, path, body, init = {}) =>
      test.engine.fetch(
        new Request(`${BASE_URL}${path}`, {
          method: body === undefined ? "GET" : "POST",
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...init,
          headers: { Host: "127.0.0.1", Authorization: `Bearer ${key}`, ...init.headers },
        }),
      ),
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The key of the provider, which no client may see. */
export const PROVIDER_KEY = "sk-provider-canary-0123456789";

/** A whole answer of chat completions. */
export const COMPLETION = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m-of-the-provider",
  choices: [{ index: 0, message: { role: "assistant", content: "Four." }, finish_reason: "stop" }],
  usage: {
    prompt_tokens: 7,
    completion_tokens: 2,
    total_tokens: 9,
    prompt_tokens_details: { cached_tokens: 3 },
  },
};

/** One chunk of a streamed answer. */
export function completionChunk(delta: object, more: object = {}): object {
  const choices = [{ index: 0, delta, finish_reason: null }];
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices,
    ...more,
  };
}

/** The last chunks of a streamed answer: its end, and what it used. */
export const LAST_CHUNKS = [
  completionChunk({}, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  completionChunk({}, { choices: [], usage: COMPLETION.usage }),
];

/** Events of a stream, as they are on the wire. */
export function toEvents(data: readonly (object | "[DONE]")[]): Uint8Array[] {
  return data.map((each) =>
    Buffer.from(`data: ${typeof each === "string" ? each : JSON.stringify(each)}\n\n`),
  );
}

export const STREAM = "text/event-stream";
export const MESSAGES = [{ role: "user" as const, content: "What is two and two?" }];
/** A whole streamed answer. */
export const CHUNKS = toEvents([
  completionChunk({ role: "assistant", content: "Fo" }),
  completionChunk({ content: "ur." }),
  ...LAST_CHUNKS,
  "[DONE]",
]);
export const CALL = {
  id: "call_1",
  type: "function" as const,
  function: { name: "add", arguments: '{"a":2}' },
};
/** An answer that calls a tool of the client. */
export const CALLED = {
  ...COMPLETION,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: null, tool_calls: [CALL] },
      finish_reason: "tool_calls",
    },
  ],
};
export const TOOL = {
  type: "function" as const,
  function: { name: "add", parameters: { type: "object" } },
};
/** An answer of the embedder. */
export const VECTOR = {
  object: "list",
  model: "e",
  data: [{ object: "embedding", index: 0, embedding: [0.5, 1] }],
};

/** The engine in this process as the network of a client. */
export function networkOf({ engine }: DoorBench["test"]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.headers.set("host", "127.0.0.1");
    return engine.fetch(request);
  };
}
