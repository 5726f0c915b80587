// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LogFields, silentLogger } from "../../../shared/log.ts";
import { createTestEngine, type TestEngine } from "../../support/engine/engine.ts";
import { empty, json } from "../../support/http.ts";

const PATH = "/model-configurations";
const MINIMAL = { provider: "openai", model: "m" };
const CREDENTIALS = {
  apiKey: "canary-api-key",
  cloudAccessKeyId: "canary-cloud-id",
  cloudSecretAccessKey: "canary-cloud-secret",
  cloudSessionToken: "canary-cloud-session",
};
const SEALED = {
  apiKey: "sealed_api_key",
  cloudAccessKeyId: "sealed_cloud_access_key_id",
  cloudSecretAccessKey: "sealed_cloud_secret_access_key",
  cloudSessionToken: "sealed_cloud_session_token",
};
type CredentialField = keyof typeof CREDENTIALS;

async function create(test: TestEngine, input: object = MINIMAL) {
  return json(await test.call("POST", PATH, input), 201);
}

/** The credentials of the only configuration, opened from its row. */
async function storedCredentials(test: TestEngine) {
  const { rows } = await test.deps.db.$client.execute("SELECT * FROM model_configurations");
  const row = rows[0]!;
  const fields = Object.keys(SEALED) as CredentialField[];
  const opened = await Promise.all(
    fields.map(async (field) => {
      const envelope = row[SEALED[field]];
      if (envelope === null) return [field, null];
      return [field, await test.deps.vault.open(String(envelope), `${row.id}:${field}`)];
    }),
  );
  return Object.fromEntries(opened);
}

describe("POST /model-configurations", () => {
  it("answers 201 with exactly the fields of the contract, and a Location", async () => {
    await using test = await createTestEngine();
    const input = {
      provider: "bedrock",
      model: "m",
      alias: "My model",
      baseUrl: "http://127.0.0.1:1/v1",
      region: "eu-west-1",
      contextWindow: 1000,
      ...CREDENTIALS,
      unknown: "ignored",
    };
    const response = await test.call("POST", PATH, input);
    const location = response.headers.get("location");
    const made = await json(response, 201);
    assert.match(made.id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(made, {
      id: made.id,
      provider: "bedrock",
      model: "m",
      alias: "My model",
      baseUrl: "http://127.0.0.1:1/v1",
      region: "eu-west-1",
      contextWindow: 1000,
      hasApiKey: true,
    });
    assert.equal(location, `/api/v1${PATH}/${made.id}`);
  });

  it("answers null for omitted fields, and publishes nothing", async () => {
    await using test = await createTestEngine();
    const { id, ...rest } = await create(test);
    assert.deepEqual(rest, {
      ...MINIMAL,
      alias: null,
      baseUrl: null,
      region: null,
      contextWindow: null,
      hasApiKey: false,
    });
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("takes snake_case fields, too, and lets camelCase win", async () => {
    await using test = await createTestEngine();
    const made = await create(test, {
      ...MINIMAL,
      base_url: "http://snake",
      context_window: 5,
      api_key: "canary-snake",
      contextWindow: 7,
    });
    assert.equal(made.baseUrl, "http://snake");
    assert.equal(made.contextWindow, 7);
    assert.equal(made.hasApiKey, true);
  });

  it("stores credentials sealed, and nowhere in the clear", async () => {
    await using test = await createTestEngine();
    await create(test, { ...MINIMAL, ...CREDENTIALS });
    assert.deepEqual(await storedCredentials(test), CREDENTIALS);
    const { rows } = await test.deps.db.$client.execute("SELECT * FROM model_configurations");
    assert.equal(JSON.stringify(rows).includes("canary"), false);
  });

  it("opens no envelope that was moved to another record or field", async () => {
    await using test = await createTestEngine();
    const { id } = await create(test, { ...MINIMAL, apiKey: "canary-key" });
    const { rows } = await test.deps.db.$client.execute(
      "SELECT sealed_api_key FROM model_configurations",
    );
    const envelope = String(rows[0]!.sealed_api_key);
    assert.equal(await test.deps.vault.open(envelope, `${id}:apiKey`), "canary-key");
    await assert.rejects(test.deps.vault.open(envelope, `${id}:cloudAccessKeyId`));
    await assert.rejects(test.deps.vault.open(envelope, `${crypto.randomUUID()}:apiKey`));
  });

  for (const [name, change, error] of [
    ["a missing provider", { provider: undefined }, "provider: is required."],
    ["a missing model", { model: undefined }, "model: is required."],
    ["a blank provider", { provider: " \t" }, "provider: must not be blank."],
    ["a blank model", { model: "" }, "model: must not be blank."],
    ["a context window of zero", { contextWindow: 0 }, "contextWindow: must be at least 1."],
    ["a negative one", { contextWindow: -1 }, "contextWindow: must be at least 1."],
    ["a fraction", { contextWindow: 1.5 }, "contextWindow: must be an integer."],
    ["text as context window", { contextWindow: "8" }, "contextWindow: must be a number."],
    ["an alias that is no string", { alias: 1 }, "alias: must be a string."],
    ["an API key that is no string", { apiKey: 1 }, "apiKey: must be a string."],
    ["a clearApiKey that is no boolean", { clearApiKey: "x" }, "clearApiKey: must be a boolean."],
  ] as const) {
    it(`answers 400 without details for ${name}, and stores nothing`, async () => {
      await using test = await createTestEngine();
      const response = await test.call("POST", PATH, { ...MINIMAL, ...change });
      assert.deepEqual(await json(response, 400), { error });
      assert.deepEqual(await json(await test.call("GET", PATH)), []);
    });
  }
});

describe("PUT /model-configurations/{id}", () => {
  it("clears omitted alias, baseUrl, region and contextWindow", async () => {
    await using test = await createTestEngine();
    const plain = { alias: "a", baseUrl: "http://b", region: "r", contextWindow: 9 };
    const { id } = await create(test, { ...MINIMAL, ...plain, ...CREDENTIALS });
    const put = await json(
      await test.call("PUT", `${PATH}/${id}`, { provider: "x", model: "y", alias: null }),
    );
    const cleared = { alias: null, baseUrl: null, region: null, contextWindow: null };
    assert.deepEqual(put, { id, provider: "x", model: "y", ...cleared, hasApiKey: true });
    assert.deepEqual(await json(await test.call("GET", PATH)), [put]);
  });

  for (const missing of ["provider", "model"]) {
    it(`still requires ${missing}`, async () => {
      await using test = await createTestEngine();
      const { id } = await create(test);
      const response = await test.call("PUT", `${PATH}/${id}`, {
        ...MINIMAL,
        [missing]: undefined,
      });
      assert.deepEqual(await json(response, 400), { error: `${missing}: is required.` });
    });
  }

  const kept = CREDENTIALS.apiKey;
  for (const [name, change, apiKey] of [
    ["an omitted key keeps the stored one", {}, kept],
    ["null keeps it", { apiKey: null }, kept],
    ["a value replaces it", { apiKey: "new" }, "new"],
    ["the empty string stores none", { apiKey: "" }, null],
    ["clearApiKey clears it", { clearApiKey: true }, null],
    ["clearApiKey clears it beside null", { clearApiKey: true, apiKey: null }, null],
    ["a value wins over clearApiKey", { clearApiKey: true, apiKey: "new" }, "new"],
    ["the empty string wins over clearApiKey", { clearApiKey: true, apiKey: "" }, null],
    ["clearApiKey false keeps it", { clearApiKey: false }, kept],
  ] as const) {
    it(`holds to the rules of the API key: ${name}`, async () => {
      await using test = await createTestEngine();
      const { id } = await create(test, { ...MINIMAL, ...CREDENTIALS });
      const put = await json(await test.call("PUT", `${PATH}/${id}`, { ...MINIMAL, ...change }));
      assert.equal(put.hasApiKey, apiKey !== null);
      assert.deepEqual(await storedCredentials(test), { ...CREDENTIALS, apiKey });
    });
  }

  for (const field of ["cloudAccessKeyId", "cloudSecretAccessKey", "cloudSessionToken"] as const) {
    it(`keeps ${field} where it is omitted or null, for any clearApiKey, and replaces it alone`, async () => {
      await using test = await createTestEngine();
      const { id } = await create(test, { ...MINIMAL, ...CREDENTIALS });
      await json(await test.call("PUT", `${PATH}/${id}`, { ...MINIMAL, [field]: null }));
      assert.deepEqual(await storedCredentials(test), CREDENTIALS);
      const change = { [field]: "new", clearApiKey: true };
      await json(await test.call("PUT", `${PATH}/${id}`, { ...MINIMAL, ...change }));
      assert.deepEqual(await storedCredentials(test), {
        ...CREDENTIALS,
        apiKey: null,
        [field]: "new",
      });
    });
  }

  it("loses no credential to an update beside it that names none", async () => {
    await using test = await createTestEngine();
    const { id } = await create(test, MINIMAL);
    const put = (change: object) => test.call("PUT", `${PATH}/${id}`, { ...MINIMAL, ...change });
    await Promise.all([
      put({ apiKey: "a" }),
      put({}),
      put({ cloudSessionToken: "b" }),
      put({ alias: "c" }),
    ]);
    const stored = await storedCredentials(test);
    assert.equal(stored.apiKey, "a");
    assert.equal(stored.cloudSessionToken, "b");
  });

  it("warns the operator when a kept key will be sent to another host, without naming the key", async () => {
    const warnings: [LogFields, string][] = [];
    const log = {
      ...silentLogger,
      warn: (fields: LogFields, text: string) => void warnings.push([fields, text]),
    };
    await using test = await createTestEngine({ log });
    const secret = { apiKey: "canary-key", baseUrl: "http://one.test/v1" };
    const { id } = await create(test, { ...MINIMAL, ...secret });
    await test.call("PUT", `${PATH}/${id}`, { ...MINIMAL, baseUrl: "http://one.test/v2" });
    assert.deepEqual(warnings, []);
    await test.call("PUT", `${PATH}/${id}`, { ...MINIMAL, baseUrl: "http://u:canary-p@two.test/" });
    assert.equal(warnings.length, 1);
    assert.deepEqual(warnings[0]![0], {
      modelConfigurationId: id,
      from: "one.test",
      to: "two.test",
    });
  });

  it("answers an empty 404 for an id that is not there, a UUID or not", async () => {
    await using test = await createTestEngine();
    for (const id of [crypto.randomUUID(), "echo", "x"]) {
      await empty(await test.call("PUT", `${PATH}/${id}`, MINIMAL), 404);
    }
  });
});

describe("DELETE /model-configurations/{id}", () => {
  it("answers an empty 204, then an empty 404", async () => {
    await using test = await createTestEngine();
    const { id } = await create(test);
    await empty(await test.call("DELETE", `${PATH}/${id}`));
    await empty(await test.call("DELETE", `${PATH}/${id}`), 404);
    assert.deepEqual(await json(await test.call("GET", PATH)), []);
  });
});

describe("GET /model-configurations", () => {
  it("sorts by id", async () => {
    await using test = await createTestEngine();
    const made = [];
    for (let at = 0; at < 8; at += 1) made.push((await create(test)).id);
    const listed = (await json(await test.call("GET", PATH))).map(({ id }: { id: string }) => id);
    assert.deepEqual(listed, made.toSorted());
  });
});

describe("GET /models", () => {
  it("lists the configured models by alias or model name, in order of creation, then echo", async () => {
    await using test = await createTestEngine();
    const named = await create(test, { ...MINIMAL, alias: "Named", apiKey: "canary-key" });
    const plain = await create(test, { provider: "p", model: "plain" });
    const configured = [
      { id: named.id, name: "Named", provider: "openai", description: null },
      { id: plain.id, name: "plain", provider: "p", description: null },
    ];
    for (let at = 0; at < 6; at += 1) {
      const { id } = await create(test, { provider: "p", model: `m${at}` });
      configured.push({ id, name: `m${at}`, provider: "p", description: null });
    }
    const models = await json(await test.call("GET", "/models"));
    assert.deepEqual(models.slice(0, -1), configured);
    const { description, ...echo } = models.at(-1);
    assert.deepEqual(echo, { id: "echo", name: "Echo", provider: "echo" });
    assert.equal(typeof description, "string");
  });
});
