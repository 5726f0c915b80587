import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import type { RuntimeInfo } from "../../../engine/runtime/runtime-file.ts";
import type { RawAnswer } from "../../support/http.ts";
import { type Dice, pick } from "../../support/random.ts";
import { WATCHDOG_MS } from "../../support/time.ts";
import { brokenJson, hostileText, spoil, toValue, type ValueSchema } from "./values.ts";

/** A request as it goes over the wire. */
export interface FuzzRequest {
  method: string;
  /** With its query, as it is written in the request line. */
  target: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/** One operation of the OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  parameters: { in: string; name: string; schema: ValueSchema }[];
  body: ValueSchema | undefined;
}

/** What the requests before this one made, and what may stand in fields. */
export interface FuzzHarness {
  /** Ids by the collection that made them: `threads`, `workspaces`. */
  ids: Map<string, string[]>;
  /** Texts that fit a field, by its name. */
  texts: Readonly<Record<string, readonly string[]>>;
}

const METHODS = ["get", "put", "post", "delete"] as const;
const OTHER_METHODS = ["PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "PUT", "DELETE"];
const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "",
];
// Node refuses a head of more than 16 KiB by itself.
const TARGET_CHARACTERS_MAX = 12_000;

interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: Record<string, Record<string, ValueSchema>>;
}

interface OpenApiOperation {
  parameters?: Operation["parameters"];
  requestBody?: { content: Record<string, { schema: ValueSchema }> };
}

const document: OpenApiDocument = JSON.parse(
  readFileSync(new URL("../../../engine/openapi.json", import.meta.url), "utf8"),
);

/** Every operation of the document. */
export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(
  ([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      if (operation === undefined) return [];
      const { parameters = [], requestBody } = operation;
      const body = requestBody?.content["application/json"]?.schema;
      return [{ method: method.toUpperCase(), path, parameters, body }];
    }),
);

/** Of every two requests to an operation, about one is valid. */
export function requestFor(harness: FuzzHarness, dice: Dice, operation: Operation): FuzzRequest {
  const isSpoiled = (chance: number) => dice(chance) === 0;
  const method = isSpoiled(20) ? pick(dice, OTHER_METHODS) : operation.method;
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (isSpoiled(15)) headers["content-type"] = pick(dice, CONTENT_TYPES);
  if (isSpoiled(30)) headers["content-encoding"] = pick(dice, ["gzip", "br", "identity"]);
  if (isSpoiled(30)) headers["x-long"] = "x".repeat(dice(4_000));
  if (isSpoiled(30)) headers.range = pick(dice, ["bytes=0-0", "bytes=9-1", "bytes=-1", "x"]);
  if (isSpoiled(30)) headers["if-none-match"] = pick(dice, ["*", '"x"']);
  return {
    method,
    target: targetFor(harness, dice, operation),
    headers,
    body: bodyFor(harness, dice, operation),
  };
}

function targetFor(harness: FuzzHarness, dice: Dice, { path, parameters }: Operation): string {
  const filled = path.replace(/([^/]+)\/\{(\w+)\}/g, (_, collection: string, name: string) => {
    const value =
      name === "root_index" ? pick(dice, ["0", "1", "-1", "99"]) : idOf(harness, dice, collection);
    return `${collection}/${dice(12) === 0 ? encode(hostileText(dice, 1_000)) || "x" : value}`;
  });
  const query = parameters
    .filter((parameter) => parameter.in === "query" && dice(10) > 0)
    .map(({ name, schema }) => {
      const isHostile = dice(5) === 0;
      const value = isHostile
        ? hostileText(dice, 1_000)
        : valueFor(harness, dice, { schema, name });
      return `${name}=${encode(String(value))}`;
    });
  if (dice(40) === 0)
    query.push(pick(dice, ["__proto__=1", "path=a&path=b", "rootIndex[]=0", "&&="]));
  const whole = query.length > 0 ? `${filled}?${query.join("&")}` : filled;
  return spoilTarget(dice, whole).slice(0, TARGET_CHARACTERS_MAX);
}

function spoilTarget(dice: Dice, target: string): string {
  switch (dice(60)) {
    case 0:
      return target.replace("/api", "//api");
    case 1:
      return `${target}/`;
    case 2:
      return target.replace("/v1/", "/v1/../v1/");
    case 3:
      return target.replace("/v1/", "/%76%31/");
    case 4:
      return `${target}%zz%00%c0%80`;
    case 5:
      return `${target}#x\\y`;
    default:
      return target;
  }
}

function bodyFor(
  harness: FuzzHarness,
  dice: Dice,
  { body }: Operation,
): string | Buffer | undefined {
  if (body === undefined) return dice(20) === 0 ? hostileText(dice, 20_000) : undefined;
  const value = valueFor(harness, dice, { schema: body, name: "" });
  const kind = dice(10);
  if (kind < 5) return JSON.stringify(value);
  if (kind < 9) return JSON.stringify(spoil(dice, value));
  return brokenJson(dice, JSON.stringify(value));
}

function valueFor(
  harness: FuzzHarness,
  dice: Dice,
  { schema, name }: { schema: ValueSchema; name: string },
) {
  const resolve = (reference: string) => {
    const [, , section = "", entry = ""] = reference.split("/");
    return document.components[section]?.[entry] ?? {};
  };
  return toValue(
    { dice, resolve, textFor: (field) => textFor(harness, dice, field) },
    schema,
    name,
  );
}

function textFor(harness: FuzzHarness, dice: Dice, name: string): string {
  const owner = /^(\w+)Uuid$/.exec(name)?.[1];
  if (owner !== undefined) return idOf(harness, dice, `${owner}s`);
  if (name === "defaultModelId") return idOf(harness, dice, "model-configurations");
  const known = harness.texts[name];
  if (known) return pick(dice, known);
  return dice(4) === 0 ? hostileText(dice) : `text ${dice(100)}`;
}

/** An id that was made before, mostly; else one that was never there. */
function idOf({ ids }: FuzzHarness, dice: Dice, collection: string): string {
  const known = ids.get(collection) ?? [];
  if (known.length === 0 || dice(12) === 0) return "00000000-0000-4000-8000-000000000000";
  return pick(dice, known);
}

/** Percent-encodes text of every kind, lone surrogates included. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Sends what `fetch` would normalize, over connections that are kept. */
export class FuzzClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #runtime: RuntimeInfo;

  constructor(runtime: RuntimeInfo) {
    this.#runtime = runtime;
  }

  /** The answer; of an event stream the head alone. @throws where none comes before the watchdog. */
  async send(asked: FuzzRequest): Promise<RawAnswer> {
    try {
      return await this.#send(asked, this.#agent);
    } catch (error) {
      // A server may close a kept connection in the moment in which it is used again.
      if (!(error instanceof ReusedConnectionError)) throw error;
      return this.#send(asked, false);
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #send({ method, target, headers, body }: FuzzRequest, agent: Agent | false): Promise<RawAnswer> {
    const { host, port, token } = this.#runtime;
    return new Promise((resolve, reject) => {
      const sent = request({
        host,
        port,
        agent,
        method,
        path: target,
        headers: { ...headers, ...framing(body), authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(WATCHDOG_MS),
      });
      sent.on("response", (response) => readAnswer(response).then(resolve, reject));
      sent.on("error", (error: NodeJS.ErrnoException) => {
        const isLost = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
        reject(isLost ? new ReusedConnectionError(error) : error);
      });
      sent.end(body);
    });
  }
}

/** Without a length, Node would send the body of a GET as the beginning of another request. */
function framing(body: FuzzRequest["body"]): Record<string, string> {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

class ReusedConnectionError extends Error {
  override name = "ReusedConnectionError";
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

async function readAnswer(response: IncomingMessage): Promise<RawAnswer> {
  const headers = new Map(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  const status = response.statusCode ?? 0;
  if (headers.get("content-type")?.startsWith("text/event-stream")) {
    response.destroy();
    return { status, headers, body: "" };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status, headers, body: Buffer.concat(chunks).toString("utf8") };
}
