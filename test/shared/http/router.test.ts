import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRoute, z } from "@hono/zod-openapi";
import { body, ok } from "../../../shared/http/responses.ts";
import { createRouter } from "../../../shared/http/router.ts";

const Thing = z
  .object({
    name: z.string().min(1),
    baseUrl: z.string().nullish(),
    count: z.int().max(5).optional(),
  })
  .openapi("Thing");

const postThing = createRoute({
  method: "post",
  path: "/things/{id}",
  request: { params: z.object({ id: z.string() }), ...body(Thing) },
  responses: { ...ok(Thing) },
});

function createTestRouter(snakeCase = true) {
  const router = createRouter({
    bodyBytesMax: 100,
    snakeCase,
    invalid: (details) => new Error(details),
    unreadable: (fault) => new Error(fault),
  }).openapi(postThing, (c) => c.json(c.req.valid("json"), 200));
  router.onError((error) => new Response(error.message, { status: 400 }));
  return router;
}

function post(given: BodyInit | undefined, headers: Record<string, string> = {}) {
  const init = { method: "POST", body: given, headers, duplex: "half" };
  return createTestRouter().request("/things/1", init as RequestInit);
}

describe("a router", () => {
  for (const type of [
    undefined,
    "text/plain",
    "application/json",
    "application/x-www-form-urlencoded",
  ]) {
    it(`parses JSON under the Content-Type ${type}`, async () => {
      const bytes = new TextEncoder().encode('{"name":"n"}');
      const response = await post(bytes, type ? { "Content-Type": type } : {});
      assert.deepEqual(await response.json(), { name: "n" });
    });
  }

  for (const [given, message] of [
    ["{", "not_json"],
    ["", "not_json"],
    [undefined, "not_json"],
    [new Uint8Array([0x22, 0xff, 0x22]), "not_utf8"],
    [`{"name":"${"n".repeat(100)}"}`, "too_large"],
    ["[1]", "body: must be an object"],
    ["{}", "name: is required"],
    ['{"name":""}', "name: must not be empty"],
    ['{"name":"n","count":6}', "count: must be at most 5"],
    ['{"name":"n","count":1.5}', "count: must be an integer"],
    ['{"name":1,"baseUrl":2}', "name: must be a string; baseUrl: must be a string"],
  ] as const) {
    it(`refuses ${String(given).slice(0, 30)} as ${message}`, async () => {
      const response = await post(given);
      assert.equal(response.status, 400);
      assert.equal(await response.text(), message);
    });
  }

  it("stops reading a stream without a length at the limit", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(60));
      },
    });
    assert.equal(await (await post(endless)).text(), "too_large");
    assert.equal(pulled < 10, true);
  });

  const lengths: Record<string, string>[] = [{}, { "Content-Length": "20" }];
  for (const headers of lengths) {
    it(`takes a body that breaks off as not JSON (${JSON.stringify(headers)})`, async () => {
      const broken = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"name":'));
        },
        pull: (controller) => controller.error(new Error("aborted")),
      });
      const response = await post(broken, headers);
      assert.equal(await response.text(), "not_json");
    });
  }

  it("takes a BOM before JSON", async () => {
    assert.deepEqual(await (await post('\uFEFF{"name":"n"}')).json(), { name: "n" });
  });

  it("takes snake_case where its options say so, and camelCase wins", async () => {
    const both = '{"name":"n","base_url":"a"}';
    assert.deepEqual(await (await post(both)).json(), { name: "n", baseUrl: "a" });
    const camel = '{"name":"n","base_url":"a","baseUrl":null}';
    assert.deepEqual(await (await post(camel)).json(), { name: "n", baseUrl: null });
    const strict = await createTestRouter(false).request("/things/1", {
      method: "POST",
      body: both,
    });
    assert.deepEqual(await strict.json(), { name: "n" });
  });

  it("does not pollute a prototype", async () => {
    const response = await post('{"name":"n","__proto__":{"baseUrl":"x"},"constructor":1}');
    assert.deepEqual(await response.json(), { name: "n" });
    assert.equal(Object.hasOwn(Object.prototype, "baseUrl"), false);
  });

  it("documents the body that it parses by itself", () => {
    const document = createTestRouter().getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title: "t", version: "1" },
    });
    const operation = document.paths?.["/things/{id}"]?.post;
    assert.equal(
      JSON.stringify(operation?.requestBody).includes("#/components/schemas/Thing"),
      true,
    );
  });
});
