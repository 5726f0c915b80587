import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "../../tools/documents/document.ts";
import { ROOT } from "./sources.ts";

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

describe("the documents in the tree leave nothing to guess", () => {
  for (const path of ["engine/openapi.json", "signin/openapi.json", "engine/frames.schema.json"]) {
    it(`${path}: every field has a sentence and a type`, () => {
      assert.deepEqual(untold(read(path), path), []);
    });
  }

  for (const path of ["engine/openapi.json", "signin/openapi.json"]) {
    it(`${path}: every operation has a tag, sentences, and an id of a verb and a noun`, () => {
      const document = read(path);
      const tags = document.tags.map(({ name }: { name: string }) => name);
      const operations = operationsOf(document);
      const ids = operations.map(({ operationId }) => operationId);
      assert.equal(new Set(ids).size, ids.length);
      for (const operation of operations) {
        const { name, operationId, summary, description, parameters = [] } = operation;
        assert.match(operationId, /^[a-z]+([A-Z][a-z]+)+$/);
        assert.ok(
          operation.tags.every((tag) => tags.includes(tag)),
          name,
        );
        const texts = [summary, description, ...parameters.map((one) => one.description)];
        for (const text of texts) assert.match(text ?? "", /\S/, name);
      }
    });

    it(`${path}: 401 and 413 stand where they can come, and every error has the shared body`, () => {
      for (const { name, security, requestBody, responses } of operationsOf(read(path))) {
        const ways = security.map((way) => Object.keys(way).length);
        if (ways.length > 0 && !ways.includes(0)) assert.ok("401" in responses, name);
        // A body that is not read has no schema of its own.
        const { required, content } = requestBody ?? {};
        const reads = required === true || content?.["application/json"]?.schema.$ref !== undefined;
        assert.equal("413" in responses, reads, name);
        for (const [status, response] of Object.entries(responses)) {
          for (const [type, { schema }] of Object.entries(response.content ?? {})) {
            const shared = /^#\/components\/schemas\/(ErrorBody|Problem\w*)$/;
            if (Number(status) >= 400) assert.match(schema.$ref ?? "", shared, `${name} ${type}`);
          }
        }
      }
    });
  }

  it("the strings that hold JSON say of what kind, with an example that is JSON", () => {
    const { schemas } = read("engine/openapi.json").components;
    const fields = Object.values<{ properties?: Record<string, JsonObject> }>(schemas).flatMap(
      ({ properties = {} }) => Object.entries(properties).filter(([, one]) => one.contentSchema),
    );
    assert.deepEqual([...new Set(fields.map(([name]) => name))].sort(), [
      "approvalConfig",
      "authConfigJson",
      "directories",
      "ragConfig",
      "skillsConfig",
      "toolsConfig",
    ]);
    for (const [name, { contentSchema, contentMediaType, example }] of fields) {
      assert.equal(contentMediaType, "application/json", name);
      assert.ok(isJsonObject(contentSchema) && String(contentSchema.$ref).slice(21) in schemas);
      assert.equal(typeof JSON.parse(String(example)), "object", name);
    }
  });
});

type Content = Record<string, { schema: { $ref?: string } }>;

interface DeclaredOperation {
  name: string;
  operationId: string;
  tags: string[];
  summary?: string;
  description?: string;
  parameters?: { description?: string }[];
  security: object[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

function operationsOf(document: {
  security: object[];
  paths: Record<string, Record<string, Omit<DeclaredOperation, "name">>>;
}): DeclaredOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      name: `${method} ${path}`,
      security: operation.security ?? document.security,
    })),
  );
}

/** The fields of object schemas that have no description, or say nothing of their value. */
function untold(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => untold(item, `${path}.${at}`));
  if (!isJsonObject(value)) return [];
  const { properties } = value;
  const fields = value.type === "object" && isJsonObject(properties) ? properties : {};
  const found = Object.entries(fields).flatMap(([name, field]) => {
    const known = isJsonObject(field) ? field : {};
    const typed = ["type", "const", "enum", "$ref", "anyOf", "oneOf", "allOf"].some(
      (key) => key in known,
    );
    return typeof known.description === "string" && typed ? [] : [`${path}.${name}`];
  });
  return [
    ...found,
    ...Object.entries(value).flatMap(([key, item]) => untold(item, `${path}.${key}`)),
  ];
}
