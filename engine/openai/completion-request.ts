import { z } from "zod";
import { describeIssues } from "../../shared/http/issues.ts";
import fields from "./completion-fields.json" with { type: "json" };
import { OpenAiError } from "./errors.ts";

// What a provider may get beside `model`, `messages` and `stream`: OpenAI's reference, and what local servers usually sample by.
const FIELDS = [...fields.openai, ...fields.localServers];

const Message = z.looseObject({ role: z.string() });
/** A message as the client sent it. */
export type SentMessage = z.infer<typeof Message>;

const Body = z.looseObject({
  model: z.string().refine((model) => model.trim() !== "", "must not be blank"),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
});
/** The body of a call. Only these fields are judged: the provider judges the rest. */
export type CompletionRequest = z.infer<typeof Body>;

/** @throws OpenAiError 400 that names the field */
export function parseCompletionRequest(body: unknown): CompletionRequest {
  const parsed = Body.safeParse(body);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 1);
  const param = issues[0]?.path.map(String).join(".") || null;
  throw new OpenAiError(400, `${describeIssues(issues)}.`, { param });
}

/** The body for a provider: the known fields alone, under the provider's name of the model. */
export function toProviderBody(request: CompletionRequest, model: string): object {
  const { messages, stream } = request;
  const known = FIELDS.filter((name) => Object.hasOwn(request, name));
  const options = Object.fromEntries(known.map((name) => [name, request[name]]));
  if (stream !== true) return { ...options, model, messages };
  const streamOptions = { ...(options.stream_options ?? {}), include_usage: true };
  return { ...options, model, messages, stream, stream_options: streamOptions };
}

/** Whether the client asked for the chunk with the usage. */
export function wantsUsage({ stream_options: options }: CompletionRequest): boolean {
  return (options as { include_usage?: unknown } | null | undefined)?.include_usage === true;
}

interface NamedAddress {
  /** As `messages.0.content.1.image_url.url`. */
  param: string;
  url: string;
}

/** The first address of a part that is no data URL: what a server fetches, or opens. */
export function findForeignAddress(messages: readonly SentMessage[]): NamedAddress | undefined {
  for (const [at, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [partAt, part] of content.entries()) {
      const named = addressesIn(part, `messages.${at}.content.${partAt}`);
      const foreign = named.find(({ url }) => !/^data:/i.test(url));
      if (foreign) return foreign;
    }
  }
  return undefined;
}

/** `image_url: {url}`, or the address itself; servers know `video_url`, `audio_url` and others like them. */
function addressesIn(part: unknown, param: string): NamedAddress[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (!/url$/i.test(name)) return [];
    if (typeof value === "string") return [{ param: `${param}.${name}`, url: value }];
    const { url } = (value ?? {}) as { url?: unknown };
    return typeof url === "string" ? [{ param: `${param}.${name}.url`, url }] : [];
  });
}
