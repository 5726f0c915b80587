// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createVault } from "../../../engine/secrets/vault.ts";
import { createTestEngine, type TestEngine } from "../../support/engine/engine.ts";
import { empty, json } from "../../support/http.ts";

const PATH = "/tool-registry";
const AUTH = { authType: "api_key", authConfigJson: '{"X-Api-Key":"canary-value"}' };
const API = { name: "n", toolType: "api", endpointUrl: "https://example.test/x", ...AUTH };

async function create(test: TestEngine, input: object) {
  return json(await test.call("POST", PATH, input), 201);
}

/** The auth configuration of the only tool, opened from its row; null where there is none. */
async function storedAuth(test: TestEngine): Promise<string | null> {
  const { rows } = await test.deps.db.$client.execute("SELECT * FROM tool_configurations");
  const { uuid, sealed_auth_config: envelope } = rows[0]!;
  return envelope === null ? null : test.deps.vault.open(String(envelope), `${uuid}:authConfig`);
}

describe("POST /tool-registry", () => {
  it("answers 201 with exactly the fields of the contract, and a Location", async () => {
    await using test = await createTestEngine();
    const input = { ...API, alias: "a", description: "d", scriptPath: "p", scriptLanguage: "l" };
    const response = await test.call("POST", PATH, { ...input, status: "draft", unknown: 1 });
    const location = response.headers.get("location");
    const made = await json(response, 201);
    const time = "2026-01-02T03:04:05.000Z";
    assert.deepEqual(made, {
      id: made.id,
      uuid: made.uuid,
      name: "n",
      alias: "a",
      description: "d",
      toolType: "api",
      scriptPath: "p",
      scriptLanguage: "l",
      endpointUrl: "https://example.test/x",
      authType: "api_key",
      hasAuthConfig: true,
      status: "draft",
      createdAt: time,
      updatedAt: time,
    });
    assert.equal(Number.isInteger(made.id), true);
    assert.equal(location, `/api/v1${PATH}/${made.uuid}`);
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("defaults to an active script", async () => {
    await using test = await createTestEngine();
    const made = await create(test, { name: "n", toolType: null, status: null });
    assert.equal(made.toolType, "script");
    assert.equal(made.status, "active");
    assert.equal(made.alias, null);
    assert.equal(made.hasAuthConfig, false);
    assert.equal(made.endpointUrl, null);
  });

  it("takes an alias without a name, and names the tool by it", async () => {
    await using test = await createTestEngine();
    const made = await create(test, { alias: "only", name: " " });
    assert.equal(made.alias, "only");
    assert.equal(made.name, "only");
  });

  it("takes snake_case", async () => {
    await using test = await createTestEngine();
    const made = await create(test, {
      name: "n",
      tool_type: "mcp",
      endpoint_url: "http://127.0.0.1:9/mcp",
      auth_type: "api_key",
      auth_config_json: AUTH.authConfigJson,
    });
    assert.equal(made.toolType, "mcp");
    assert.equal(made.hasAuthConfig, true);
  });

  it("seals the auth configuration, and keeps it nowhere in the clear", async () => {
    await using test = await createTestEngine();
    await create(test, API);
    assert.equal(await storedAuth(test), AUTH.authConfigJson);
    const { rows } = await test.deps.db.$client.execute("SELECT * FROM tool_configurations");
    assert.equal(JSON.stringify(rows).includes("canary"), false);
  });

  for (const [name, input, error] of [
    ["neither alias nor name", {}, "name: is required without an alias."],
    ["blank alias and name", { name: " ", alias: "" }, "name: is required without an alias."],
    [
      "an unknown type",
      { name: "n", toolType: "API" },
      "toolType: must be one of `script`, `api`, `mcp`.",
    ],
    ["an unknown auth type", { ...API, authType: "basic" }, "authType: must be one of `api_key`."],
    [
      "an endpoint on a script",
      { name: "n", endpointUrl: "http://x/" },
      "endpointUrl: is only for api and mcp tools.",
    ],
    ["auth on a script", { name: "n", ...AUTH }, "authConfigJson: is only for api and mcp tools."],
    [
      "auth without its type",
      { ...API, authType: null },
      "authConfigJson: needs the authType `api_key`.",
    ],
    ["a name that is no string", { name: 1 }, "name: must be a string."],
    [
      "a clearAuthConfig that is no boolean",
      { name: "n", clearAuthConfig: null },
      "clearAuthConfig: must be a boolean.",
    ],
  ] as const) {
    it(`answers 400 without details for ${name}, and stores nothing`, async () => {
      await using test = await createTestEngine();
      assert.deepEqual(await json(await test.call("POST", PATH, input), 400), { error });
      assert.deepEqual(await json(await test.call("GET", PATH)), []);
    });
  }
});

describe("PUT /tool-registry/{uuid}", () => {
  const FULL = {
    ...API,
    alias: "a",
    description: "d",
    scriptPath: "p",
    scriptLanguage: "l",
    status: "s",
  };

  it("keeps omitted name, alias, type and status, and clears the other plain fields", async () => {
    await using test = await createTestEngine();
    const made = await create(test, FULL);
    test.deps.clock.advance(1000);
    const put = await json(await test.call("PUT", `${PATH}/${made.uuid}`, {}));
    assert.deepEqual(put, {
      ...made,
      description: null,
      scriptPath: null,
      scriptLanguage: null,
      endpointUrl: null,
      authType: null,
      hasAuthConfig: false,
      updatedAt: "2026-01-02T03:04:06.000Z",
    });
    assert.deepEqual(await json(await test.call("GET", `${PATH}/${made.uuid}`)), put);
  });

  it("treats null like omission, and clears by a blank alias", async () => {
    await using test = await createTestEngine();
    const made = await create(test, FULL);
    const nulls = { name: null, alias: null, toolType: null, status: null };
    const put = await json(await test.call("PUT", `${PATH}/${made.uuid}`, nulls));
    const { name, alias, toolType, status } = put;
    assert.deepEqual(
      { name, alias, toolType, status },
      { name: "n", alias: "a", toolType: "api", status: "s" },
    );
    const cleared = await json(await test.call("PUT", `${PATH}/${made.uuid}`, { alias: "" }));
    assert.equal(cleared.alias, null);
  });

  it("replaces what is given", async () => {
    await using test = await createTestEngine();
    const { uuid } = await create(test, FULL);
    const change = { name: "n2", alias: "a2", toolType: "script", scriptPath: "p2", status: "off" };
    const put = await json(await test.call("PUT", `${PATH}/${uuid}`, change));
    assert.deepEqual({ ...put, ...change }, put);
  });

  const kept = AUTH.authConfigJson;
  const other = '{"X-Other":"canary-other"}';
  for (const [name, change, auth] of [
    ["without authType it is removed", {}, null],
    ["with authType null it is removed", { authType: null }, null],
    ["with authType alone it is kept", { authType: "api_key" }, kept],
    ["null keeps it", { authType: "api_key", authConfigJson: null }, kept],
    ["a value replaces it", { authType: "api_key", authConfigJson: other }, other],
    ["clearAuthConfig removes it", { authType: "api_key", clearAuthConfig: true }, null],
    [
      "a value wins over clearAuthConfig",
      { authType: "api_key", clearAuthConfig: true, authConfigJson: other },
      other,
    ],
    ["a script keeps none", { authType: "api_key", toolType: "script" }, null],
    ["a change to mcp keeps it", { authType: "api_key", toolType: "mcp" }, kept],
  ] as const) {
    it(`holds to the rules of stored auth: ${name}`, async () => {
      await using test = await createTestEngine();
      const { uuid } = await create(test, API);
      const put = await json(await test.call("PUT", `${PATH}/${uuid}`, change));
      assert.equal(put.hasAuthConfig, auth !== null);
      assert.equal(await storedAuth(test), auth);
    });
  }

  for (const [name, change, error] of [
    [
      "auth without authType",
      { authConfigJson: kept },
      "authConfigJson: needs the authType `api_key`.",
    ],
    [
      "an endpoint on what becomes a script",
      { toolType: "script", endpointUrl: "http://x/" },
      "endpointUrl: is only for api and mcp tools.",
    ],
    ["a bad endpoint", { endpointUrl: "x" }, "endpointUrl: must be an HTTP or HTTPS URL."],
    [
      "a bad header",
      { ...AUTH, authConfigJson: '{"a b":"c"}' },
      "authConfigJson: must have valid HTTP header names as keys.",
    ],
  ] as const) {
    it(`answers 400 for ${name}, and changes nothing`, async () => {
      await using test = await createTestEngine();
      const made = await create(test, API);
      const response = await test.call("PUT", `${PATH}/${made.uuid}`, change);
      assert.deepEqual(await json(response, 400), { error });
      assert.deepEqual(await json(await test.call("GET", `${PATH}/${made.uuid}`)), made);
      assert.equal(await storedAuth(test), kept);
    });
  }
});

describe("One configured tool", () => {
  it("is an empty 404 where it is not there", async () => {
    await using test = await createTestEngine();
    for (const uuid of [crypto.randomUUID(), "x"]) {
      await empty(await test.call("GET", `${PATH}/${uuid}`), 404);
      await empty(await test.call("PUT", `${PATH}/${uuid}`, { name: "n" }), 404);
      await empty(await test.call("DELETE", `${PATH}/${uuid}`), 404);
    }
  });

  it("is deleted with its sealed auth", async () => {
    await using test = await createTestEngine();
    const { uuid } = await create(test, API);
    await empty(await test.call("DELETE", `${PATH}/${uuid}`));
    const { rows } = await test.deps.db.$client.execute("SELECT * FROM tool_configurations");
    assert.deepEqual(rows, []);
  });
});

describe("GET /tool-registry", () => {
  it("sorts by alias, or name where there is none", async () => {
    await using test = await createTestEngine();
    for (const input of [{ name: "c" }, { name: "z", alias: "a" }, { name: "b" }]) {
      await create(test, input);
    }
    const listed = await json(await test.call("GET", PATH));
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      ["z", "b", "c"],
    );
  });
});

describe("GET /tools/catalog", () => {
  it("has the built-in tools by group, and the configured ones as the registry lists them", async () => {
    await using test = await createTestEngine();
    await create(test, API);
    const { builtin, configured, ...rest } = await json(await test.call("GET", "/tools/catalog"));
    assert.deepEqual(rest, {});
    assert.deepEqual(configured, await json(await test.call("GET", PATH)));
    assert.deepEqual(Object.keys(builtin.time[0]), ["name", "doc", "operation"]);
    assert.equal(builtin.time[0].name, "get_current_time");
  });
});

describe("A credential store that cannot be used", () => {
  for (const [method, path, body] of [
    ["GET", "/tools/catalog"],
    ["GET", PATH],
    ["POST", PATH, { name: "n" }],
    ["GET", `${PATH}/x`],
    ["PUT", `${PATH}/x`, { name: "n" }],
    ["DELETE", `${PATH}/x`],
  ] as const) {
    it(`is the 503 problem on ${method} ${path}`, async () => {
      const load = () => Promise.reject(new Error("no key"));
      await using test = await createTestEngine({ vault: createVault({ load }) });
      const response = await test.call(method, path, body);
      assert.equal(response.headers.get("content-type"), "application/problem+json");
      assert.equal(
        (await json(response, 503)).title,
        "Encrypted credential storage is unavailable.",
      );
    });
  }
});
