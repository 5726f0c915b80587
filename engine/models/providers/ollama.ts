import { z } from "zod";
import { utf8 } from "../../../shared/bytes.ts";
import { isJsonObject, parseJson } from "../../../shared/json.ts";
import { ModelFailure } from "../language-model.ts";
import { OLLAMA_EFFORT_HEADER } from "./dialect.ts";
import type { SdkModel } from "./sdk.ts";

type Fetch = typeof globalThis.fetch;

interface OllamaSettings {
  /** The address of the server, without `/api`. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
}

/** A model of an Ollama server, in its own protocol: `POST /api/chat`, answered by one JSON object a line. */
export async function createOllamaModel(
  fetch: Fetch,
  { baseUrl, apiKey, model }: OllamaSettings,
): Promise<SdkModel> {
  const { createOllama } = await import("ollama-ai-provider-v2");
  const headers: Record<string, string> =
    apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
  const provider = createOllama({ baseURL: `${baseUrl}/api`, headers, fetch: withChecks(fetch) });
  return provider.languageModel(model);
}

/** Mends what the package sends, and judges each line before the package, which leaves a broken line or an error out. */
function withChecks(fetch: Fetch): Fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const effort = headers.get(OLLAMA_EFFORT_HEADER);
    headers.delete(OLLAMA_EFFORT_HEADER);
    const body = typeof init?.body === "string" ? toRequestBody(init.body, effort) : init?.body;
    const response = await fetch(input, { ...init, headers, ...(body && { body }) });
    if (!response.ok || !response.body) return response;
    const text = response.body.pipeThrough(new TextDecoderStream());
    return new Response(text.pipeThrough(checkedLines()), response);
  };
}

// The package switches thinking off if no request asks for it, and sends an empty text beside an image as a list.
function toRequestBody(text: string, effort: string | null): string {
  const {
    think: _think,
    messages,
    ...body
  } = JSON.parse(text) as {
    model: string;
    think: unknown;
    messages: { content: unknown }[];
  };
  // Only this family takes levels; others reject them.
  const level = /(^|\/)gpt-oss/.test(body.model) ? effort : true;
  const think = effort && { think: effort === "off" ? false : level };
  const mended = messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: "" } : message,
  );
  return JSON.stringify({ ...body, ...think, messages: mended });
}

const orNone = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

// What the package reads of a part, with the fields that older servers leave out. It warns on the terminal of anything else.
const Part = z.object({
  model: z.string().default(""),
  created_at: z.string().default(""),
  done: z.boolean().default(false),
  done_reason: orNone(z.string()),
  message: z.object({
    role: z.string().default("assistant"),
    content: z.string().default(""),
    thinking: orNone(z.string()),
    tool_calls: orNone(
      z.array(
        z.object({
          id: orNone(z.string()),
          function: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
        }),
      ),
    ),
  }),
  prompt_eval_count: orNone(z.number()),
  eval_count: orNone(z.number()),
});

/** Passes whole lines on. Fails on one that is no part of an answer, and if the last part is missing. */
function checkedLines(): TransformStream<string, Uint8Array> {
  let line = "";
  let isDone = false;
  const take = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (line.trim() === "") return;
    const value = parseJson(line);
    if (isJsonObject(value) && "error" in value) {
      // As in the parts of other packages: what is no Error has the words of the server.
      const said: unknown = { message: String(value.error) };
      throw said;
    }
    const part = Part.safeParse(value);
    if (!part.success) throw new Error("Ollama sent a line that is not part of a response.");
    const { done, done_reason = done ? "stop" : undefined } = part.data;
    isDone ||= done;
    controller.enqueue(utf8(`${JSON.stringify({ ...part.data, done_reason })}\n`));
  };
  return new TransformStream({
    transform(text, controller) {
      const [end = "", ...beginnings] = text.split("\n");
      line += end;
      for (const beginning of beginnings) {
        take(controller);
        line = beginning;
      }
    },
    flush(controller) {
      take(controller);
      if (!isDone) {
        throw new ModelFailure("The model's answer broke off before it was complete.");
      }
    },
  });
}
