import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { encodeJsonFields } from "../../../../../engine/client/fields.ts";
import { OPERATIONS } from "../../../../../engine/client/operations.generated.ts";
import {
  type ApiValues,
  faultOf,
  toApiRequest,
} from "../../../../../engine/console/page/api/api-request.ts";
import { listedOperations } from "../../../../../engine/console/page/api/document.ts";
import { exampleOf } from "../../../../../engine/console/page/api/schema-example.ts";
import { fieldsOf, typeOf } from "../../../../../engine/console/page/api/schema-fields.ts";
import { snippetOf } from "../../../../../engine/console/page/api/snippet.ts";
import { describeRequest } from "../../../../../shared/client/request.ts";

const PREFIX = "/api/v1";

const document = JSON.parse(
  readFileSync(new URL("../../../../../engine/openapi.json", import.meta.url), "utf8"),
);
const operations = listedOperations(document);

/** A form with every parameter filled in. */
function filledIn(operation: (typeof operations)[number]): ApiValues {
  const textOf = (schema: object) => String(exampleOf(document, schema as never));
  const parameters = operation.parameters.map(({ name, schema }) => [name, textOf(schema)]);
  const body = operation.body && JSON.stringify(exampleOf(document, operation.body));
  return { parameters: Object.fromEntries(parameters), body };
}

/** Runs a snippet, and returns what the client would send. */
async function sentBy(snippet: string) {
  const sent: { method: string; path: string; body: string | undefined }[] = [];
  const calls = (id: keyof typeof OPERATIONS) => {
    const { traits } = OPERATIONS[id];
    return (...args: unknown[]) => {
      const encode = traits.includes("json") ? encodeJsonFields : undefined;
      const { method, path, body } = describeRequest(OPERATIONS[id], args, encode);
      sent.push({ method, path: PREFIX + path, body });
      return traits.includes("events") ? (async function* () {})() : undefined;
    };
  };
  const engine: Record<string, Record<string, unknown>> = {};
  for (const id of Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]) {
    const [tag = "", name = ""] = OPERATIONS[id].as.split(".");
    engine[tag] = { ...engine[tag], [name]: calls(id) };
  }
  await new Function("engine", `return (async () => { ${snippet} })();`)(engine);
  assert.equal(sent.length, 1, snippet);
  return sent[0];
}

it("every operation of the document is listed, and known to the client", () => {
  assert.deepEqual(operations.map(({ id }) => id).sort(), Object.keys(OPERATIONS).sort());
  assert.ok(operations.every(({ tag, summary }) => tag !== "" && summary !== ""));
});

describe("the snippet sends what the form sends", () => {
  for (const operation of operations) {
    it(operation.id, async () => {
      const values = filledIn(operation);
      assert.equal(faultOf(operation, values), undefined);
      const request = toApiRequest(operation, values);
      const sent = await sentBy(snippetOf(operation, values) ?? "");
      assert.deepEqual([sent?.method, sent?.path], [request.method, request.path]);
      assert.deepEqual(JSON.parse(sent?.body ?? "null"), JSON.parse(request.body ?? "null"));
    });
  }
});

describe("a form", () => {
  const operation = operations.find(({ id }) => id === "createFile")!;
  const values = { parameters: { uuid: "w", rootIndex: "0", path: "a b/c&d.md" }, body: "{}" };

  it("becomes a request with its parts encoded", () => {
    assert.deepEqual(toApiRequest(operation, values), {
      method: "POST",
      path: "/api/v1/workspaces/w/files/content?rootIndex=0&path=a+b%2Fc%26d.md",
      body: "{}",
    });
    const odd = { ...values, parameters: { ...values.parameters, uuid: "../a?b#c" } };
    assert.match(toApiRequest(operation, odd).path, /\/workspaces\/\.\.%2Fa%3Fb%23c\/files/);
  });

  it("says what is missing or wrong", () => {
    const faults = [
      [{ ...values, parameters: {} }, "Fill in uuid, rootIndex, path."],
      [{ ...values, body: "{" }, "The body is no JSON."],
      [
        { ...values, parameters: { ...values.parameters, uuid: ".." } },
        "uuid would lead to another path.",
      ],
      [values, undefined],
    ] as const;
    for (const [given, fault] of faults) assert.equal(faultOf(operation, given), fault);
  });
});

describe("a schema", () => {
  it("is a table of its fields, those within fields, too", () => {
    const schema = {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string", description: "The id." },
        tags: {
          type: "array",
          items: { type: "object", properties: { name: { type: "string" } } },
        },
      },
    };
    assert.deepEqual(fieldsOf({}, schema), [
      { name: "id", type: "string", isRequired: true, description: "The id." },
      { name: "tags", type: "object[]", isRequired: false, description: "" },
      { name: "tags[].name", type: "string", isRequired: false, description: "" },
    ]);
  });

  it("that holds itself ends", () => {
    const tree = { components: { schemas: { Node: { type: "object", properties: {} } } } };
    const node = { $ref: "#/components/schemas/Node" };
    tree.components.schemas.Node.properties = { left: node, right: node };
    assert.ok(fieldsOf(tree, node).length <= 200);
    assert.ok(Array.isArray(exampleOf(tree, { type: "array", items: node })));
  });

  it("has a type in a few words", () => {
    const types = [
      [{ type: "string", format: "date" }, "string (date)"],
      [{ type: ["string", "null"] }, "string | null"],
      [{ enum: ["a", 1] }, '"a" | 1'],
      [{ const: true }, "true"],
      [{ anyOf: [{ $ref: "#/x/Thing" }, { type: "null" }] }, "Thing | null"],
      [{}, "any"],
    ] as const;
    for (const [schema, type] of types) assert.equal(typeOf({}, schema), type);
  });

  it("of any shape is read without an error", () => {
    for (const odd of [undefined, null, 7, {}, { paths: 7 }, { paths: { "/a": { get: null } } }]) {
      assert.ok(Array.isArray(listedOperations(odd)));
    }
  });
});
