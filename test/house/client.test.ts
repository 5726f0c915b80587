import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { RoundhouseChatTransport } from "../../engine/client/ai-sdk.ts";
import { createClient } from "../../engine/client/client.ts";
import { connect } from "../../engine/client/node.ts";
import { createSigninClient } from "../../signin/client/client.ts";
import { createSigninClient as onNode } from "../../signin/client/node.ts";
import { buildClientFiles } from "../../tools/client.ts";
import { ROOT } from "./sources.ts";

interface Declared {
  operationId: string;
  tags: string[];
}

const document: { paths: Record<string, Record<string, Declared>> } = JSON.parse(
  readFileSync(join(ROOT, "engine/openapi.json"), "utf8"),
);
const declared = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const {
  operations,
  changes: _changes,
  chat: _chat,
  follow: _follow,
  pages: _pages,
  ...namespaces
} = createClient({ baseUrl: "http://127.0.0.1", token: "t" });

describe("the client of the engine", () => {
  it("is written from the document in the tree; `npm run client:generate` writes it", () => {
    for (const [path, text] of Object.entries(buildClientFiles())) {
      assert.equal(readFileSync(join(ROOT, path), "utf8"), text, path);
    }
  });

  it("has every operation of the document by its id, and no other", () => {
    const ids = declared.map(({ operationId }) => operationId);
    assert.ok(ids.length > 50);
    assert.deepEqual(Object.keys(operations).sort(), ids.sort());
  });

  it("has one method for each operation, in the namespace of its tag", () => {
    const methods = Object.entries(namespaces).flatMap(([tag, namespace]) =>
      Object.values(namespace).map((method) => ({ tag, method })),
    );
    const expected = declared.map(({ operationId, tags: [tag] }) => ({
      tag,
      method: (operations as unknown as Record<string, unknown>)[operationId],
    }));
    assert.equal(methods.length, declared.length);
    for (const { tag, method } of expected) {
      assert.ok(methods.some((other) => other.tag === tag && other.method === method));
    }
  });

  it("leaves the noun of the tag out of a method's name", () => {
    assert.equal(namespaces.workspaces.create, operations.createWorkspace);
    assert.equal(namespaces.threads.list, operations.listThreads);
    assert.equal(namespaces.threads.getPolicy, operations.getThreadPolicy);
    assert.equal(namespaces.models.createConfiguration, operations.createModelConfiguration);
    assert.equal(namespaces.files.createDirectory, operations.createDirectory);
  });

  it("is what the package exports", async () => {
    assert.equal((await import("roundhouse/client")).createClient, createClient);
    assert.equal((await import("roundhouse/client/node")).connect, connect);
    const transports = await import("roundhouse/client/ai-sdk");
    assert.equal(transports.RoundhouseChatTransport, RoundhouseChatTransport);
  });
});

describe("the client of the sign-in server", () => {
  const text = readFileSync(join(ROOT, "signin/openapi.json"), "utf8");
  const paths: typeof document.paths = JSON.parse(text).paths;
  const expected = Object.values(paths).flatMap((methods) => Object.values(methods));
  const signin = createSigninClient({ baseUrl: "https://auth.example.com" });

  it("has every operation of its document, by its id and in the namespace of its tag", () => {
    const methods = signin.operations as unknown as Record<string, unknown>;
    const ids = expected.map(({ operationId }) => operationId);
    assert.deepEqual(Object.keys(methods).sort(), ids.sort());
    for (const { operationId, tags } of expected) {
      const namespace = Object(signin)[tags[0] ?? ""];
      assert.ok(Object.values(namespace).includes(methods[operationId]), operationId);
    }
  });

  it("is what the package exports, with nativeLogin on Node", async () => {
    assert.equal((await import("roundhouse/signin-client")).createSigninClient, onNode);
  });
});
