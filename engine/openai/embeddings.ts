import { isJsonObject } from "../../shared/json.ts";
import type { EngineDeps } from "../deps.ts";
import { badField, OpenAiError } from "./errors.ts";
import { callProvider, readAnswer } from "./provider-call.ts";

/** The fields of OpenAI's reference; the model is always the configured one. */
const FIELDS = ["input", "encoding_format", "dimensions", "user"];

/**
 * Passes a call on to the embedder that `ENGINE_EMBEDDINGS_URL` configures, under any name.
 * @throws OpenAiError 400, 404, 429, 502
 */
export async function embed(
  deps: Pick<EngineDeps, "config" | "fetch" | "timers">,
  { request, signal }: { request: unknown; signal: AbortSignal },
): Promise<Response> {
  const { embeddings } = deps.config;
  if (embeddings.kind === "builtin") {
    const message = "No embedding server is configured. Set ENGINE_EMBEDDINGS_URL to one.";
    throw new OpenAiError(404, message, { param: "model", code: "model_not_found" });
  }
  if (!isJsonObject(request)) throw new OpenAiError(400, "The body must be a JSON object.");
  if (request.input === undefined) throw badField("input", "is required");
  const given = FIELDS.filter((name) => Object.hasOwn(request, name));
  const options = Object.fromEntries(given.map((name) => [name, request[name]]));
  const { url, model, apiKey } = embeddings;
  using call = await callProvider(
    deps,
    { url: `${url}/embeddings`, apiKey, headers: {} },
    { body: { ...options, model }, signal },
  );
  return (await readAnswer(call)).asItIs;
}
