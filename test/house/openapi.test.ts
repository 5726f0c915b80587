import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { OpenAPIHono } from "@hono/zod-openapi";
import { inboundFrames, outboundFrames } from "../../engine/realtime/frames.ts";
import { readDocuments } from "../../tools/openapi.ts";
import { createTestEngine } from "../support/engine/engine.ts";
import { createTestSignin } from "../support/signin/signin.ts";
import { readContract } from "./contract-pages.ts";
import { findDocumentFaults } from "./openapi-faults.ts";
import { ROOT } from "./sources.ts";

type Operation = {
  responses: Record<string, unknown>;
  security?: unknown[];
};
type Document = { paths: Record<string, Record<string, Operation>> };

// The operations of Engine §4. The contract pages name the others under "Beyond the specification".
const SPECIFIED = [
  "GET /health",
  "POST /agui",
  "GET /account/session",
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
  "GET /stream",
  "GET /events",
];

// What the engine has beside them.
const ADDITIVE = [
  "POST /threads/{uuid}/forks",
  "GET /threads/{uuid}/forks",
  "GET /threads/{uuid}/origin",
  "GET /messages/{uuid}/attachments",
  "GET /messages/{uuid}/attachments/{position}",
  "GET /openapi.json",
  "GET /account/server",
  "POST /account/adopt",
  "GET /workspaces/{uuid}/policy",
  "PUT /workspaces/{uuid}/policy",
  "GET /threads/{uuid}/policy",
  "PUT /threads/{uuid}/policy",
  "PUT /model-configurations/{id}/headers",
  "GET /model-configurations/{id}/context",
  "GET /model-configurations/{id}/parameters",
  "PUT /model-configurations/{id}/parameters",
  "POST /model-configurations/{id}/test",
  "POST /model-discovery",
  "POST /provider-models",
  "GET /local-folders",
  "POST /tool-registry/{uuid}/test",
  "GET /providers",
  "GET /turns",
  "GET /turns/{uuid}",
  "GET /threads/{uuid}/summary",
  "DELETE /threads/{uuid}/summary",
  "POST /threads/{uuid}/compact",
  "GET /turns/{uuid}/context",
  "GET /turns/{uuid}/sources",
  "POST /threads/{uuid}/turns",
  "POST /workspaces/{uuid}/turns",
  "POST /turns/{uuid}/cancel",
  "GET /turns/{uuid}/events",
  "GET /approvals",
  "GET /approvals/{uuid}",
  "POST /approvals/{uuid}",
  "GET /approval-grants",
  "GET /turns/{uuid}/reasoning",
  "GET /workspaces/{uuid}/instructions",
  "PUT /workspaces/{uuid}/instructions",
  "POST /threads/{uuid}/title",
  "DELETE /approval-grants/{uuid}",
  "GET /client-keys",
  "POST /client-keys",
  "DELETE /client-keys/{uuid}",
  "GET /usage",
  "GET /threads/{uuid}/turns",
  "POST /workspaces/{uuid}/rag/cancel",
  "GET /workspaces/{uuid}/rag/status",
  "POST /console/links",
  "GET /status",
  "GET /workspaces/{uuid}/mcp-tools",
  "GET /workspaces/{uuid}/rag/failures",
  "GET /changes",
  "GET /search/messages",
  "POST /search/messages",
];

// The operations of Sign-in §4.
const SIGNIN_SPECIFIED = [
  "GET /auth/{provider}/login",
  "GET /auth/{provider}/callback",
  "POST /auth/native/token",
  "POST /auth/apikey",
  "DELETE /auth/{provider}/disconnect",
  "GET /auth/providers",
  "GET /auth/me",
];

const SIGNIN_ADDITIVE = [
  "POST /auth/{provider}/callback",
  "GET /health",
  "GET /ready",
  "GET /openapi.json",
  "GET /.well-known/jwks.json",
  "GET /.well-known/oauth-authorization-server",
  "PATCH /auth/me",
  "DELETE /auth/me",
  "POST /auth/me/delete/code",
  "GET /auth/me/export",
  "POST /auth/email/code",
  "POST /auth/email/complete",
  "POST /auth/identities/{provider}/confirm",
  "POST /auth/reauthenticate",
  "POST /auth/reauthenticate/code",
  "GET /auth/second-factor",
  "POST /auth/second-factor/identity",
  "POST /auth/second-factor/totp/options",
  "POST /auth/second-factor/totp",
  "DELETE /auth/second-factor/totp",
  "POST /auth/second-factor/recovery-codes",
  "POST /auth/refresh",
  "POST /auth/logout",
  "POST /auth/login",
  "POST /auth/login/code",
  "POST /auth/login/code/complete",
  "POST /auth/signup/code",
  "POST /auth/signup/complete",
  "POST /auth/password/code",
  "POST /auth/password",
  "POST /auth/password/reset/code",
  "POST /auth/password/reset/complete",
  "POST /auth/passkeys/options",
  "POST /auth/passkeys",
  "GET /auth/passkeys",
  "PATCH /auth/passkeys/{id}",
  "DELETE /auth/passkeys/{id}",
  "POST /auth/passkey/options",
  "POST /auth/passkey",
  "GET /auth/sessions",
  "DELETE /auth/sessions/{id}",
  "GET /auth/events",
  "GET /auth/identities",
  "GET /",
  "GET /page/common-passwords.txt",
  "GET /page/icon.svg",
  "GET /page/script.js",
  "GET /page/style.css",
];

describe("the documents in the tree", () => {
  it("are what the routes declare; `npm run openapi` writes them", async () => {
    for (const [path, text] of Object.entries(await readDocuments())) {
      assert.equal(readFileSync(join(ROOT, path), "utf8"), text, path);
    }
  });

  it("have every operation of the engine's specification, and no operation that no list has", async (t) => {
    const route = t.mock.method(OpenAPIHono.prototype, "route");
    await using _engine = await createTestEngine();
    const routes = operationsOf(route.mock.calls[0]?.this, "/api/v1");
    const listed = [...SPECIFIED, ...ADDITIVE].sort();
    assert.deepEqual(routes, listed);
    assert.deepEqual(describedBy("engine/openapi.json", "/api/v1"), listed);
  });

  it("have every operation of the sign-in server's specification, and none that no list has", async () => {
    await using signin = await createTestSignin();
    const routes = operationsOf(signin.signin.api);
    const listed = [...SIGNIN_SPECIFIED, ...SIGNIN_ADDITIVE].sort();
    assert.deepEqual(routes, listed);
    assert.deepEqual(describedBy("signin/openapi.json"), listed);
  });

  it("what is beyond the specification stands in the contract", () => {
    const pages = { engine: ADDITIVE, signin: SIGNIN_ADDITIVE };
    for (const [program, operations] of Object.entries(pages)) {
      const { clauses, findHeading } = readContract(program);
      const heading = findHeading("4", "Beyond the specification");
      const text = clauses
        .filter((clause) => clause.heading === heading)
        .map((clause) => clause.text)
        .join("\n");
      assert.deepEqual(
        operations.filter((operation) => !text.includes(`\`${operation}\``)),
        [],
        program,
      );
    }
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
        ({ $ref }: { $ref: string }) => $defs[$ref.slice("#/$defs/".length)].properties.type.const,
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

/** What routers registered with the app, documented or not: `GET /x/{id}`. */
function operationsOf(app: unknown, prefix = ""): string[] {
  assert.ok(app instanceof OpenAPIHono);
  const operations = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${withoutPrefix(path, prefix)}`)
    .map((operation) => operation.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}"));
  return [...new Set(operations)].sort();
}

function describedBy(file: string, prefix = ""): string[] {
  const document: Document = JSON.parse(readFileSync(join(ROOT, file), "utf8"));
  return Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${withoutPrefix(path, prefix)}`,
      ),
    )
    .sort();
}

function withoutPrefix(path: string, prefix: string): string {
  assert.ok(path.startsWith(prefix), path);
  return path.slice(prefix.length);
}

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
