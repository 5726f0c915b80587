import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject } from "../../shared/json.ts";

const ROOT = join(import.meta.dirname, "../..");
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The schemas of an OpenAPI document of the tree, as judges of what a program sends. */
export class DocumentSchemas {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, formats: { "date-time": TIME } });

  constructor(path: "engine/openapi.json" | "signin/openapi.json") {
    const document = closed(JSON.parse(readFileSync(join(ROOT, path), "utf8")));
    if (!isJsonObject(document)) throw new TypeError(`${path} is no document.`);
    this.#ajv.addSchema(document, "document");
  }

  /** What is wrong with a value; `pointer` names its schema, such as `/components/schemas/Turn`. */
  faults(pointer: string, value: unknown): string[] {
    const validate = this.#ajv.getSchema(`document#${pointer}`);
    if (!validate) return [`${pointer} is no schema of the document`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** A copy in which an object has only the fields that its schema declares: another one is a fault. */
function closed(value: unknown, root = value): unknown {
  if (Array.isArray(value)) return value.map((item) => closed(item, root));
  if (!isJsonObject(value)) return value;
  if (Array.isArray(value.allOf)) return closed(merged(value.allOf, root), root);
  const entries = Object.entries(value).map(([key, item]) => [key, closed(item, root)]);
  const copy = Object.fromEntries(entries);
  const isOpen = "additionalProperties" in value || !isJsonObject(value.properties);
  return value.type === "object" && !isOpen ? { ...copy, additionalProperties: false } : copy;
}

/** One schema for the parts of an `allOf`, which are objects with fields of their own. */
function merged(parts: readonly unknown[], root: unknown) {
  const schemas = parts.map((part) => {
    const { $ref } = Object(part);
    const path = typeof $ref === "string" ? $ref.split("/").slice(1) : [];
    return path.reduce((schema, key) => Object(schema)[key], $ref ? root : part);
  });
  return {
    type: "object",
    properties: Object.assign({}, ...schemas.map((schema) => Object(schema).properties)),
    required: schemas.flatMap((schema) => Object(schema).required ?? []),
  };
}

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface Candidate extends Operation {
  method: string;
  segments: readonly string[];
  /** The JSON pointer of the operation in the document. */
  pointer: string;
}

/** Holds every answer of a server against its OpenAPI document, and remembers which operations succeeded. */
export class AnswerJudge {
  /** What was wrong with the answers since the last look. */
  readonly faults: string[] = [];
  /** The ids of the operations that gave a success. */
  readonly #succeeded = new Set<string>();
  readonly #schemas: DocumentSchemas;
  readonly #candidates: readonly Candidate[];

  constructor(path: "engine/openapi.json" | "signin/openapi.json") {
    this.#schemas = new DocumentSchemas(path);
    const { paths } = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as {
      paths: Record<string, Record<string, Operation>>;
    };
    this.#candidates = Object.entries(paths).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        segments: template.split("/"),
        pointer: `/paths/${pointerOf(template)}/${method}`,
      })),
    );
  }

  /** Makes the calls in their order. Fails unless each operation has one, that succeeds with an answer of the document. */
  async callEvery<Harness>(
    calls: Readonly<Record<string, (harness: Harness) => Promise<unknown>>>,
    harness: Harness,
  ): Promise<void> {
    const ids = this.#candidates.map(({ operationId }) => operationId);
    assert.deepEqual(Object.keys(calls).sort(), ids.sort());
    for (const [id, call] of Object.entries(calls)) {
      await call(harness).catch((cause: unknown) => {
        throw new Error(`${id} failed.`, { cause });
      });
      assert.deepEqual(this.faults.splice(0), [], id);
      assert.ok(this.#succeeded.has(id), `${id} was not called`);
    }
  }

  /** A `fetch` whose answers are judged before the caller reads them; those of event streams while it does. */
  watch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const request = new Request(input, init);
      const { method } = request;
      const { pathname } = new URL(request.url);
      return this.#judge(method, pathname, await fetch(request, init));
    };
  }

  /** A class of WebSockets whose upgrades are judged. */
  watchSockets(): typeof WebSocket {
    const note = (url: string | URL) => this.#note("GET", new URL(url).pathname, 101);
    return class extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        this.addEventListener("open", () => note(args[0]));
      }
    };
  }

  async #judge(method: string, path: string, response: Response): Promise<Response> {
    const { status } = response;
    const operation = this.#note(method, path, status);
    const content = operation?.responses[status]?.content;
    if (!operation?.responses[status]) return response;
    const report = (fault: string) =>
      this.faults.push(`${operation.operationId} ${status}: ${fault}`);
    const [media = ""] = (response.headers.get("content-type") ?? "").split(";");
    const declared = Object.keys(content ?? {}).find((key) =>
      key.endsWith("*") ? media.startsWith(key.replace(/(\*\/)?\*$/, "")) : media === key,
    );
    if (content ? declared === undefined : (await response.clone().arrayBuffer()).byteLength > 0) {
      report(`a body of the type "${media}" is not in the document`);
    }
    if (declared === undefined) return response;
    const schema = `${operation.pointer}/responses/${status}/content/${pointerOf(declared)}/schema`;
    const check = (value: unknown) => {
      for (const fault of this.#schemas.faults(schema, value)) report(fault);
    };
    if (media === "application/json") check(await response.clone().json());
    if (media !== "text/event-stream" || !response.body) return response;
    return new Response(response.body.pipeThrough(watchEvents(check)), response);
  }

  /** The operation of a request. Notes its success, or a status or a path that is not in the document. */
  #note(
    method: string,
    path: string,
    status: number,
  ): (Operation & { pointer: string }) | undefined {
    const segments = path.split("/");
    const [operation] = this.#candidates
      .filter((candidate) => candidate.method === method && fits(candidate.segments, segments))
      .sort((a, b) => parameters(a.segments) - parameters(b.segments));
    if (!operation) this.faults.push(`${method} ${path} is not in the document`);
    else if (!operation.responses[status]) {
      this.faults.push(`${operation.operationId}: the status ${status} is not in the document`);
    } else if (status < 400) this.#succeeded.add(operation.operationId);
    return operation;
  }
}

/** `/` and `~` of a key in a JSON pointer, and what a fragment of a URL may not hold. */
function pointerOf(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, at) => part.startsWith("{") || part === segments[at])
  );
}

function parameters(template: readonly string[]): number {
  return template.filter((part) => part.startsWith("{")).length;
}

/** Passes a stream through, and gives each of its events; one without a name is its data. */
function watchEvents(onEvent: (event: unknown) => void) {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split("\n").map((line) => {
            const [name = "", ...value] = line.split(":");
            return [name, value.join(":").trimStart()];
          }),
        );
        if (fields.data === undefined) continue;
        const data = fields.data === "" ? "" : JSON.parse(fields.data);
        onEvent(fields.event ? { ...fields, data } : data);
      }
      controller.enqueue(chunk);
    },
  });
}
