// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDoorBench } from "../../support/engine/door.ts";
import { TEST_CONFIG, TEST_TOKEN } from "../../support/engine/engine.ts";
import { empty, json } from "../../support/http.ts";

const DAY_MS = 24 * 60 * 60_000;
const WRONG_KEY = {
  error: {
    message: "The API key is missing or wrong. `keys create` makes one.",
    type: "invalid_request_error",
    param: null,
    code: "invalid_api_key",
  },
};

describe("a client key", () => {
  it("is good for the interface alone, and the bearer is good for everything but it", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    await json(await bench.ask(key, "/models"));
    for (const wrong of ["", TEST_TOKEN, `${key}x`, key.toLowerCase(), "rh_"]) {
      assert.deepEqual(await json(await bench.ask(wrong, "/models"), 401), WRONG_KEY);
      assert.deepEqual(await json(await bench.ask(wrong, "/nothing"), 401), WRONG_KEY);
    }
    const request = new Request("http://127.0.0.1/api/v1/threads", {
      headers: { Host: "127.0.0.1", Authorization: `Bearer ${key}` },
    });
    await json(await bench.test.engine.fetch(request), 401);
    const inQuery = new Request(`http://127.0.0.1/openai/v1/models?api_key=${key}`, {
      headers: { Host: "127.0.0.1", "x-api-key": key },
    });
    assert.deepEqual(await json(await bench.test.engine.fetch(inQuery), 401), WRONG_KEY);
  });

  it("ends at its time, and at once when it is revoked", async () => {
    await using bench = await createDoorBench();
    const { clock } = bench.test.deps;
    const expiresAt = new Date(clock.now() + DAY_MS).toISOString();
    const { key } = await bench.createKey({ expiresAt });
    const { key: other, uuid } = await bench.createKey();
    clock.advance(DAY_MS);
    const { error } = await json(await bench.ask(key, "/models"), 401);
    assert.equal(error.message, "This API key has expired. Make a new one.");
    await json(await bench.ask(other, "/models"));
    await empty(await bench.test.call("DELETE", `/client-keys/${uuid}`));
    assert.deepEqual(await json(await bench.ask(other, "/models"), 401), WRONG_KEY);
  });

  it("says when it was used, to the minute", async () => {
    await using bench = await createDoorBench();
    const { clock } = bench.test.deps;
    const { key } = await bench.createKey();
    const lastUse = async () =>
      (await json(await bench.test.call("GET", "/client-keys")))[0].lastUsedAt;
    assert.equal(await lastUse(), null);
    const first = new Date(clock.now()).toISOString();
    await bench.ask(key, "/models");
    clock.advance(59_999);
    await bench.ask(key, "/models");
    assert.equal(await lastUse(), first);
    clock.advance(1);
    await bench.ask(key, "/models");
    assert.equal(await lastUse(), new Date(clock.now()).toISOString());
  });

  it("uses what its scopes name, and the list shows that alone", async () => {
    await using bench = await createDoorBench();
    await json(await bench.test.call("POST", "/workspaces", { name: "Notes" }));
    for (const [scope, models] of [
      ["models", [bench.modelId]],
      ["workspaces", ["workspace/Notes"]],
      ["embeddings", []],
    ] as const) {
      const { key } = await bench.createKey({ scopes: [scope] });
      const { data } = await json(await bench.ask(key, "/models"));
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        models,
      );
      const messages = [{ role: "user", content: "?" }];
      const tries: [string, string, object][] = [
        ["models", "/chat/completions", { model: "nothing", messages }],
        ["workspaces", "/chat/completions", { model: "workspace/nothing", messages }],
        ["embeddings", "/embeddings", { model: "nothing", input: "x" }],
      ];
      for (const [needed, path, body] of tries) {
        const refused = await json(await bench.ask(key, path, body), needed === scope ? 404 : 403);
        assert.equal(
          refused.error.code,
          needed === scope ? "model_not_found" : "insufficient_permissions",
        );
      }
    }
  });

  it("reaches its workspaces alone, and tells nothing of the others", async () => {
    await using bench = await createDoorBench();
    const create = async (name: string) =>
      (await json(await bench.test.call("POST", "/workspaces", { name }))).uuid;
    const uuids = [
      await create("a/b c"),
      await create("same"),
      await create("same"),
      await create("x"),
    ];
    const [slashes = "", first = "", second = "", hidden = ""] = uuids;
    const { key } = await bench.createKey({ workspaceUuids: [slashes, first, second] });
    const ids = async (given: string) =>
      (await json(await bench.ask(given, "/models"))).data.map(({ id }: { id: string }) => id);
    const named = ["workspace/a/b c", "workspace/same", `workspace/${second}`];
    assert.deepEqual(await ids(key), [bench.modelId, ...named]);
    for (const path of ["workspace/a/b%20c", "workspace%2Fa%2Fb%20c"]) {
      assert.equal((await json(await bench.ask(key, `/models/${path}`))).id, "workspace/a/b c");
    }
    for (const absent of ["x", hidden, "nothing", "Same", "same "]) {
      const model = `workspace/${absent}`;
      const path = `/models/${encodeURIComponent(model)}`;
      assert.deepEqual(await json(await bench.ask(key, path), 404), {
        error: {
          message: `The model ${JSON.stringify(model)} does not exist.`,
          type: "invalid_request_error",
          param: "model",
          code: "model_not_found",
        },
      });
    }
    for (const uuid of [slashes, first, second]) {
      await bench.test.call("DELETE", `/workspaces/${uuid}`);
    }
    assert.deepEqual(await ids(key), [bench.modelId]);
  });

  it("runs 32 calls at a time", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    bench.server.script(
      ...Array.from(
        { length: 32 },
        () =>
          async ({ head, end }: { head(status: number): void; end(): void }) => {
            await opened;
            head(400);
            end();
          },
      ),
    );
    const messages = [{ role: "user", content: "?" }];
    const calls: Promise<Response>[] = [];
    for (let begun = 0; begun < 32; begun += 1) {
      const arrived = bench.server.next();
      calls.push(bench.ask(key, "/chat/completions", { model: "m", messages }));
      await arrived;
    }
    const { error } = await json(await bench.ask(key, "/models"), 429);
    assert.equal(error.code, "rate_limit_exceeded");
    open();
    await Promise.all(calls);
    await json(await bench.ask(key, "/models"));
  });

  it("has room again for each stream whose reader leaves", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    const messages = [{ role: "user", content: "?" }];
    for (let left = 0; left < 32; left += 1) {
      bench.server.script(({ head }) => head(200, { "content-type": "text/event-stream" }));
      const asked = { model: "m", stream: true, messages };
      const { body } = await bench.ask(key, "/chat/completions", asked);
      await body?.cancel();
    }
    await json(await bench.ask(key, "/models"));
  });
});

describe("the interface", () => {
  it("is not there under ENGINE_OPENAI=0, and the keys stay", async () => {
    await using bench = await createDoorBench({ config: { ...TEST_CONFIG, openai: false } });
    const { key } = await bench.createKey();
    await json(await bench.ask(key, "/models"), 404);
    assert.equal((await json(await bench.test.call("GET", "/client-keys"))).length, 1);
  });

  it("answers unknown paths, methods and bodies in its own form", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    const post = (body: string) => ({ method: "POST", body });
    for (const [path, init, status, message] of [
      ["/", {}, 404, "There is no such path."],
      ["/chat", {}, 404, "There is no such path."],
      ["/chat/completions", {}, 405, "Only POST can be used here."],
      ["/models", { method: "DELETE" }, 405, "Only GET can be used here."],
      ["/chat/completions", post("{"), 400, "The body is not valid JSON."],
      ["/chat/completions", post(""), 400, "The body is not valid JSON."],
      ["/chat/completions", post('"x"'), 400, "body: must be an object."],
      ["/chat/completions", post('{"messages":[{"role":"user"}]}'), 400, "model: is required."],
      [
        "/chat/completions",
        post('{"model":"m","messages":[]}'),
        400,
        "messages: must have at least one item.",
      ],
      [
        "/chat/completions",
        post('{"model":"m","messages":[{}]}'),
        400,
        "messages.0.role: is required.",
      ],
      [
        "/chat/completions",
        post('{"model":"m","messages":[{"role":"user"}],"stream":1}'),
        400,
        "stream: must be a boolean.",
      ],
      [
        "/chat/completions",
        post(" ".repeat(17 * 1024 * 1024)),
        413,
        "The body is larger than 16 MiB.",
      ],
      [
        "/embeddings",
        post("[]"),
        404,
        "No embedding server is configured. Set ENGINE_EMBEDDINGS_URL to one.",
      ],
    ] as const) {
      const response = await bench.ask(key, path, undefined, init);
      const { error } = await json(response, status);
      assert.deepEqual(Object.keys(error), ["message", "type", "param", "code"], path);
      assert.equal(error.message, message);
    }
  });

  it("has the guards of the engine before its own errors", async () => {
    await using bench = await createDoorBench();
    const send = (headers: Record<string, string>) =>
      bench.test.engine.fetch(new Request("http://127.0.0.1/openai/v1/models", { headers }));
    await json(await send({ Host: "evil.example" }), 403);
    await json(await send({ Host: "127.0.0.1", Origin: "https://evil.example" }), 403);
  });

  it("lets pages of a listed origin in, with the headers of OpenAI's clients", async () => {
    const origin = "https://app.example";
    const config = { ...TEST_CONFIG, allowedOrigins: [origin] };
    await using bench = await createDoorBench({ config });
    const asked =
      "authorization, x-stainless-lang, openai-organization, x-thread, idempotency-key, x-other";
    const preflight = (path: string) =>
      bench.test.engine.fetch(
        new Request(`http://127.0.0.1${path}`, {
          method: "OPTIONS",
          headers: {
            Host: "127.0.0.1",
            Origin: origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": asked,
          },
        }),
      );
    const allowed = (await preflight("/openai/v1/chat/completions")).headers;
    assert.equal(
      allowed.get("access-control-allow-headers"),
      "Authorization, Content-Type, Last-Event-ID, x-stainless-lang, openai-organization, x-thread, idempotency-key",
    );
    const elsewhere = (await preflight("/api/v1/threads")).headers;
    assert.equal(
      elsewhere.get("access-control-allow-headers"),
      "Authorization, Content-Type, Last-Event-ID",
    );
    const { key } = await bench.createKey();
    const response = await bench.ask(key, "/models", undefined, { headers: { Origin: origin } });
    assert.equal(response.headers.get("access-control-allow-origin"), origin);
    assert.match(response.headers.get("access-control-expose-headers") ?? "", /X-Thread-Uuid/);
  });
});
