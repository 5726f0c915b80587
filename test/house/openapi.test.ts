import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inboundFrames, outboundFrames } from "../../engine/realtime/frames.ts";
import { readDocuments } from "../../tools/openapi.ts";
import { findDocumentFaults } from "../support/documents/openapi-faults.ts";
import { createTestEngine } from "../support/engine/engine.ts";
import { ROOT } from "./sources.ts";

type Operation = {
  responses: Record<string, unknown>;
  security?: unknown[];
};
type Document = { paths: Record<string, Record<string, Operation>> };

// The operations of Engine §4. A new one is to be added here, too.
const ENGINE_OPERATIONS = [
  "GET /health",
  "POST /agui",
  "GET /account/session",
  "GET /account/server",
  "POST /account/login",
  "POST /account/signup/code",
  "POST /account/signup/complete",
  "POST /account/logout",
  "GET /workspaces",
  "POST /workspaces",
  "GET /workspaces/{uuid}",
  "PUT /workspaces/{uuid}",
  "DELETE /workspaces/{uuid}",
  "GET /workspaces/{uuid}/threads",
  "POST /threads",
  "GET /threads/{uuid}",
  "PUT /threads/{uuid}",
  "DELETE /threads/{uuid}",
  "GET /threads/{uuid}/messages",
  "POST /messages",
  "GET /workspaces/{uuid}/files/search",
  "GET /workspaces/{uuid}/files",
  "GET /workspaces/{uuid}/files/content",
  "GET /workspaces/{uuid}/files/preview",
  "POST /workspaces/{uuid}/files/content",
  "PUT /workspaces/{uuid}/files/content",
  "POST /workspaces/{uuid}/files/directory",
  "POST /workspaces/{uuid}/files/move",
  "GET /settings",
  "PUT /settings",
  "GET /model-configurations",
  "POST /model-configurations",
  "PUT /model-configurations/{id}",
  "DELETE /model-configurations/{id}",
  "POST /model-configurations/{id}/test",
  "GET /models",
  "GET /tools/catalog",
  "GET /tool-registry",
  "POST /tool-registry",
  "GET /tool-registry/{uuid}",
  "PUT /tool-registry/{uuid}",
  "DELETE /tool-registry/{uuid}",
  "POST /workspaces/{uuid}/rag/index",
  "POST /workspaces/{uuid}/rag/roots/{root_index}/index",
  "POST /workspaces/{uuid}/rag/search",
  "POST /workspaces/{uuid}/rag/cancel",
  "GET /stream",
];

describe("the documents in the tree", () => {
  it("are what the routes declare; `npm run openapi` writes them", async () => {
    for (const [path, text] of Object.entries(await readDocuments())) {
      assert.equal(readFileSync(join(ROOT, path), "utf8"), text, path);
    }
  });

  it("have every operation of the engine's specification", () => {
    const document: Document = JSON.parse(readFileSync(join(ROOT, "engine/openapi.json"), "utf8"));
    const declared = new Set(
      Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map(
          (method) => `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, "")}`,
        ),
      ),
    );
    assert.deepEqual(
      ENGINE_OPERATIONS.filter((operation) => !declared.has(operation)),
      [],
    );
  });

  it("say that every operation but the health check needs the bearer", () => {
    const document: Document = JSON.parse(readFileSync(join(ROOT, "engine/openapi.json"), "utf8"));
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const { security } of Object.values(operations)) {
        assert.deepEqual(security, path.endsWith("/health") ? [] : undefined, path);
      }
    }
  });

  it("describe every frame that the specification names", () => {
    const { $defs } = JSON.parse(readFileSync(join(ROOT, "engine/frames.schema.json"), "utf8"));
    const typesOf = (direction: "inbound" | "outbound") =>
      $defs[direction].oneOf.map(
        (frame: { properties: { type: { const: string } } }) => frame.properties.type.const,
      );
    assert.deepEqual(typesOf("inbound"), Object.keys(inboundFrames));
    assert.deepEqual(typesOf("outbound"), Object.keys(outboundFrames));
    assert.ok(typesOf("inbound").length >= 11 && typesOf("outbound").length >= 15);
  });

  it("name no route that the engine does not have, and hide none", async () => {
    await using test = await createTestEngine();
    const document: Document = JSON.parse(readFileSync(join(ROOT, "engine/openapi.json"), "utf8"));
    for (const [path, operations] of Object.entries(document.paths)) {
      const concrete = path.replace(/^\/api\/v1/, "").replace(/\{[^}]*\}/g, "0");
      const allow = (await test.call("PATCH", concrete)).headers.get("allow");
      const methods = Object.keys(operations).map((method) => method.toUpperCase());
      const expected = methods.includes("GET") ? [...methods, "HEAD"] : methods;
      assert.equal(allow, expected.sort().join(", "), path);
    }
  });
});

describe("the documents are OpenAPI 3.1", () => {
  for (const path of ["engine/openapi.json", "signin/openapi.json"]) {
    it(path, () => {
      const document = JSON.parse(readFileSync(join(ROOT, path), "utf8"));
      assert.deepEqual(findDocumentFaults(document), []);
    });
  }

  it("a field that the specification does not have is found", () => {
    const operation = { responses: { 200: { description: "x" } }, middleware: [null] };
    const document = { openapi: "3.1.0", info: { title: "x", version: "1" } };
    assert.deepEqual(findDocumentFaults({ ...document, paths: { "/x": { post: operation } } }), [
      "paths./x.post.middleware: is no field of an operation",
    ]);
    const dangling = { schema: { $ref: "#/components/schemas/Nowhere" } };
    const faults = findDocumentFaults({
      ...document,
      paths: {
        "/y/{id}": {
          get: { responses: { 2000: { content: { "application/json": dangling } } } },
        },
      },
    });
    assert.equal(faults.length, 4, faults.join("\n"));
  });
});
