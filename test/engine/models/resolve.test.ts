// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EngineError } from "../../../engine/errors.ts";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { type ModelChoice, resolveModel } from "../../../engine/models/resolve.ts";
import { createVault } from "../../../engine/secrets/vault.ts";
import { createTestEngine, type TestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

const NONE: ModelChoice = { requested: undefined, threadDefault: null, workspaceDefault: null };

async function configure(test: TestEngine, model: string, more: object = {}): Promise<string> {
  const input = { provider: "openai-compatible", baseUrl: "http://127.0.0.1:1", model, ...more };
  return (await json(await test.call("POST", "/model-configurations", input), 201)).id;
}

describe("The model of a turn", () => {
  it("is the one of the frame, then the thread's default, then the workspace's, then echo", async () => {
    await using test = await createTestEngine();
    const [frame, thread, workspace] = [
      await configure(test, "f"),
      await configure(test, "t"),
      await configure(test, "w"),
    ];
    const resolve = async (choice: Partial<ModelChoice>) =>
      (await resolveModel(test.deps, { ...NONE, ...choice })).id;
    const [threadDefault, workspaceDefault] = [thread, workspace];
    assert.equal(await resolve({ requested: frame, threadDefault, workspaceDefault }), frame);
    assert.equal(await resolve({ threadDefault, workspaceDefault }), thread);
    assert.equal(await resolve({ workspaceDefault }), workspace);
    assert.equal(await resolve({}), "echo");
    assert.equal(
      await resolve({ requested: null, threadDefault: "", workspaceDefault: "" }),
      "echo",
    );
    assert.equal(await resolve({ requested: "", threadDefault: "", workspaceDefault }), workspace);
  });

  it("is found by its exact id before any model name, and by name as the first created", async () => {
    await using test = await createTestEngine();
    const first = await configure(test, "same");
    const second = await configure(test, "same");
    const named = await configure(test, second);
    const resolve = async (requested: string) =>
      (await resolveModel(test.deps, { ...NONE, requested })).id;
    assert.equal(await resolve("same"), first);
    assert.equal(await resolve(second), second);
    assert.equal(await resolve(named), named);
    await test.call("DELETE", `/model-configurations/${first}`);
    assert.equal(await resolve("same"), second);
  });

  it("is not found by alias, by another case, or with spaces", async () => {
    await using test = await createTestEngine();
    await configure(test, "name", { alias: "nick" });
    for (const requested of ["nick", "Name", " name", "Echo"]) {
      await assert.rejects(resolveModel(test.deps, { ...NONE, requested }), isInvalid);
    }
  });

  it("is written to the thread as its id, except an echo by default", async () => {
    await using test = await createTestEngine();
    const id = await configure(test, "m");
    const persist = async (choice: Partial<ModelChoice>) =>
      (await resolveModel(test.deps, { ...NONE, ...choice })).persist;
    assert.equal(await persist({ requested: id }), id);
    assert.equal(await persist({ requested: "m" }), id);
    assert.equal(await persist({ threadDefault: "m" }), id);
    assert.equal(await persist({ workspaceDefault: "m" }), id);
    assert.equal(await persist({ requested: "echo" }), "echo");
    assert.equal(await persist({ workspaceDefault: "echo" }), "echo");
    assert.equal(await persist({}), undefined);
  });

  for (const where of ["requested", "threadDefault", "workspaceDefault"] as const) {
    it(`is an error, and not another one, where the ${where} does not exist`, async () => {
      await using test = await createTestEngine();
      const gone = crypto.randomUUID();
      const choice = { ...NONE, workspaceDefault: "echo", [where]: gone };
      await assert.rejects(resolveModel(test.deps, choice), (error) => {
        assert.ok(isInvalid(error));
        assert.match((error as EngineError).message, /does not exist/);
        return true;
      });
    });
  }

  it("brings its context window, and takes attachments unless it is echo", async () => {
    await using test = await createTestEngine();
    const id = await configure(test, "m", { contextWindow: 1234 });
    const model = await resolveModel(test.deps, { ...NONE, requested: id });
    const { signal } = new AbortController();
    assert.deepEqual(await model.window(signal), { window: 1234, source: "stated" });
    assert.equal(model.acceptsAttachments, true);
    const echo = await resolveModel(test.deps, NONE);
    assert.deepEqual(await echo.window(signal), { window: 32_768, source: "assumed" });
    assert.equal(echo.acceptsAttachments, false);
  });

  it("may be a configuration of the provider echo", async () => {
    await using test = await createTestEngine();
    const id = await configure(test, "mine", { provider: "echo", baseUrl: null });
    const model = await resolveModel(test.deps, { ...NONE, requested: "mine" });
    assert.equal(model.id, id);
    assert.equal(model.persist, id);
    assert.equal(model.acceptsAttachments, false);
    await model.create(32_768);
  });
});

describe("Opening a model", () => {
  const open = async (test: TestEngine, input: object) => {
    const body = { model: "m", ...input };
    const { id } = await json(await test.call("POST", "/model-configurations", body), 201);
    const model = await resolveModel(test.deps, { ...NONE, requested: id });
    return model.create(32_768);
  };
  const KEY = "sk-canary-0123456789abcdef";

  for (const [about, input, message] of [
    [
      "an unknown provider without a base URL",
      { provider: "martian" },
      /unknown and has no base URL. Known providers: openai, anthropic, google, bedrock, ollama, openai-compatible, echo\.$/,
    ],
    ["a provider called like a property of objects", { provider: "constructor" }, /unknown/],
    ["openai without a key", { provider: "openai" }, /openai needs an API key/],
    ["openai with an empty key", { provider: "openai", apiKey: "" }, /openai needs an API key/],
    ["anthropic without a key", { provider: "anthropic" }, /anthropic needs an API key/],
    ["google without a key", { provider: "google" }, /google needs an API key/],
    ["openai-compatible without a base URL", { provider: "openai-compatible" }, /needs a base URL/],
    ["bedrock without a region", { provider: "bedrock", apiKey: KEY }, /needs a region/],
    [
      "bedrock with a region that is an address",
      { provider: "bedrock", apiKey: KEY, region: "evil.test/" },
      /region/,
    ],
    [
      "bedrock without credentials",
      { provider: "bedrock", region: "eu-west-1" },
      /cloud access key id/,
    ],
    [
      "bedrock with half of its credentials",
      { provider: "bedrock", region: "eu-west-1", cloudAccessKeyId: "a" },
      /cloud secret access key/,
    ],
    [
      "a base URL that is none",
      { provider: "ollama", baseUrl: "localhost" },
      /not an HTTP or HTTPS/,
    ],
    [
      "a base URL of another scheme",
      { provider: "x", baseUrl: "file:///etc/passwd" },
      /not an HTTP/,
    ],
    [
      "a base URL with credentials",
      { provider: "x", baseUrl: "http://user:canary@host/" },
      /may not have credentials or a query/,
    ],
    ["a base URL with a query", { provider: "x", baseUrl: "http://host/?key=canary" }, /query/],
    [
      "a key that no header can carry",
      { provider: "openai", apiKey: `${KEY}\u00e4` },
      /holds characters that cannot be sent/,
    ],
    ["a key with a line in it", { provider: "openai", apiKey: `${KEY}\r\nX: y` }, /cannot be sent/],
  ] as const) {
    it(`fails with a message that reveals nothing for ${about}`, async () => {
      await using test = await createTestEngine();
      await assert.rejects(open(test, input), (error) => {
        assert.ok(error instanceof ModelFailure);
        assert.match(error.message, message);
        assert.equal(`${error.message}${error.stack}`.includes("canary"), false);
        return true;
      });
    });
  }

  it("reads no credential or address from the environment", async () => {
    const names = [
      "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY",
      "GOOGLE_GENERATIVE_AI_API_KEY",
      "AWS_BEARER_TOKEN_BEDROCK",
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
      "AWS_REGION",
    ];
    for (const name of names) process.env[name] = "from-environment";
    try {
      await using test = await createTestEngine();
      for (const provider of ["openai", "anthropic", "google", "bedrock"]) {
        await assert.rejects(open(test, { provider }), /needs an? /);
      }
    } finally {
      for (const name of names) delete process.env[name];
    }
  });

  it("fails as the credential store does where a credential cannot be opened", async () => {
    await using test = await createTestEngine();
    const body = { provider: "openai", model: "m", apiKey: KEY };
    const { id } = await json(await test.call("POST", "/model-configurations", body), 201);
    const vault = createVault({ load: () => Promise.reject(new Error("gone")) });
    const model = await resolveModel({ ...test.deps, vault }, { ...NONE, requested: id });
    await assert.rejects(model.create(32_768), (error) => {
      return error instanceof EngineError && error.code === "credential_store";
    });
  });
});

function isInvalid(error: unknown): boolean {
  return error instanceof EngineError && error.code === "invalid";
}
