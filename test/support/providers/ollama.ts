import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeServer, listenOnLoopback } from "../fake-server.ts";

/** A model that a played Ollama has. */
interface OllamaModel {
  /** The maximum of its architecture. */
  contextLength?: number;
  /** `num_ctx` of its parameters. */
  numCtx?: number;
  /** Whether it takes tools; by default it does. */
  hasTools?: boolean;
}

/** A request of `/api/chat`, and what the model got to see of it. */
interface OllamaChat {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  authorization: string | undefined;
  /** Tools and messages as one text, without what was over the window. */
  prompt: string;
}

/** What the model does with a prompt: says this, or calls a tool. */
type OllamaReply = string | { call: string; args: object; thinking?: string };

/** Ollama as its protocol has it, on a real socket. */
export interface PlayedOllama extends AsyncDisposable {
  url: string;
  chats: OllamaChat[];
  /** How many chats were refused for their tools. */
  refused: number;
  /** The names that were shown, in order. */
  shown: string[];
  /** What the next chats are answered with; "OK" where nothing is left. */
  reply(...replies: OllamaReply[]): void;
}

const NUM_CTX_DEFAULT = 4096;
const BYTES_PER_TOKEN = 4;

/**
 * A server with `/api/tags`, `/api/show` and `/api/chat`. It runs a model with 4,096 tokens where `options.num_ctx` says nothing, and
 * cuts what is over the window from the front without a word, as the real one does.
 */
export async function startPlayedOllama(
  models: Readonly<Record<string, OllamaModel>>,
): Promise<PlayedOllama> {
  const chats: OllamaChat[] = [];
  const shown: string[] = [];
  const replies: OllamaReply[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET" && request.url === "/api/tags") {
      const listed = Object.keys(models).map((name) => ({ name, model: name }));
      return answer(response, 200, { models: listed });
    }
    const isKnown = request.method === "POST" && /^\/api\/(show|chat)$/.test(request.url ?? "");
    if (!isKnown) return void response.writeHead(404).end("404 page not found");
    const body = await readBody(request);
    const model = Object.hasOwn(models, body.model) ? models[body.model] : undefined;
    if (!model) return answer(response, 404, { error: `model '${body.model}' not found` });
    if (request.url === "/api/show") {
      shown.push(body.model);
      return answer(response, 200, describe(model));
    }
    if (body.tools?.length > 0 && model.hasTools === false) {
      played.refused += 1;
      const error = `registry.ollama.ai/library/${body.model} does not support tools`;
      return answer(response, 400, { error });
    }
    const { authorization } = request.headers;
    chats.push({ body, authorization, prompt: promptOf(body, model) });
    stream(response, body.model, replies.shift() ?? "OK");
  });
  const played: PlayedOllama = {
    url: await listenOnLoopback(server),
    chats,
    refused: 0,
    shown,
    reply: (...more) => void replies.push(...more),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
  return played;
}

function describe({ contextLength = 131_072, numCtx, hasTools = true }: OllamaModel) {
  return {
    parameters: `stop                           "<|eot_id|>"${numCtx ? `\nnum_ctx                        ${numCtx}` : ""}`,
    capabilities: ["completion", ...(hasTools ? ["tools"] : [])],
    model_info: {
      "general.architecture": "llama",
      "llama.context_length": contextLength,
      "llama.rope.scaling.original_context_length": 8192,
    },
  };
}

function promptOf(
  body: { tools?: unknown; messages: unknown[]; options?: { num_ctx?: number } },
  { numCtx }: OllamaModel,
): string {
  const whole = Buffer.from(JSON.stringify([body.tools ?? [], ...body.messages]));
  const window = body.options?.num_ctx ?? numCtx ?? NUM_CTX_DEFAULT;
  return whole.subarray(Math.max(0, whole.length - window * BYTES_PER_TOKEN)).toString();
}

function stream(response: ServerResponse, model: string, reply: OllamaReply): void {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const line = (part: object) =>
    void response.write(
      `${JSON.stringify({ model, created_at: "2026-01-01T00:00:00Z", ...part })}\n`,
    );
  const say = (more: object) =>
    line({ message: { role: "assistant", content: "", ...more }, done: false });
  if (typeof reply === "string") {
    for (const word of reply.split(/(?<= )/)) say({ content: word });
  } else {
    if (reply.thinking !== undefined) say({ thinking: reply.thinking });
    const call = { name: reply.call, arguments: reply.args };
    say({ tool_calls: [{ function: call }] });
  }
  const counts = { prompt_eval_count: 11, eval_count: 7, total_duration: 1 };
  line({
    message: { role: "assistant", content: "" },
    done: true,
    done_reason: "stop",
    ...counts,
  });
  response.end();
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage) {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
}
