import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { createTestEngine } from "../../support/engine/engine.ts";
import { empty, json } from "../../support/http.ts";

const DAY_MS = 24 * 60 * 60_000;

describe("client keys", () => {
  it("are shown once, and kept as a hash", async () => {
    await using test = await createTestEngine();
    const input = { name: " Editor ", scopes: ["models", "models"] };
    const response = await test.call("POST", "/client-keys", input);
    const location = response.headers.get("location");
    const { key, ...made } = await json(response, 201);
    assert.match(key, /^rh_[A-Za-z0-9_-]{43}$/);
    assert.equal(location, `/api/v1/client-keys/${made.uuid}`);
    assert.deepEqual(made, {
      uuid: made.uuid,
      name: " Editor ",
      scopes: ["models"],
      workspaceUuids: null,
      createdAt: new Date(test.deps.clock.now()).toISOString(),
      expiresAt: new Date(test.deps.clock.now() + 90 * DAY_MS).toISOString(),
      lastUsedAt: null,
    });
    assert.deepEqual(await json(await test.call("GET", "/client-keys")), [made]);
    const { rows } = await test.deps.db.$client.execute("SELECT * FROM client_keys");
    assert.equal(rows[0]?.key_hash, createHash("sha256").update(key).digest("hex"));
    assert.equal(JSON.stringify(rows).includes(key), false);
  });

  it("are revoked once", async () => {
    await using test = await createTestEngine();
    const input = { name: "Editor", scopes: ["embeddings"] };
    const { uuid } = await json(await test.call("POST", "/client-keys", input), 201);
    await empty(await test.call("DELETE", `/client-keys/${uuid}`));
    const again = await json(await test.call("DELETE", `/client-keys/${uuid}`), 404);
    assert.deepEqual(again, { error: "Client key not found." });
    assert.deepEqual(await json(await test.call("GET", "/client-keys")), []);
  });

  it("are at most 100", async () => {
    await using test = await createTestEngine();
    const make = () => test.call("POST", "/client-keys", { name: "n", scopes: ["models"] });
    for (let made = 0; made < 100; made += 1) await json(await make(), 201);
    const { error } = await json(await make(), 409);
    assert.equal(error, "There are 100 keys. Revoke one that is not used.");
    assert.equal((await json(await test.call("GET", "/client-keys"))).length, 100);
  });

  for (const [what, input, details] of [
    ["a blank name", { name: " \t" }, "name: must not be blank"],
    ["no name", { name: undefined }, "name: is required"],
    ["a name with U+0000", { name: "a\u0000" }, "name: must not contain U+0000"],
    ["no scope", { scopes: [] }, "scopes: must have at least one item"],
    ["an unknown scope", { scopes: ["all"] }, /^scopes\.0: /],
    ["no list of scopes", { scopes: "models" }, "scopes: must be an array"],
    [
      "an empty list of workspaces",
      { workspaceUuids: [] },
      "workspaceUuids: must have at least one item",
    ],
    ["an unknown workspace", { workspaceUuids: ["w"] }, "workspaceUuids: there is no workspace w"],
    ["an end that is no time", { expiresAt: "soon" }, /^expiresAt: /],
    [
      "an end in the past",
      { expiresAt: "2001-01-01T00:00:00Z" },
      "expiresAt: must be in the future",
    ],
  ] as const) {
    it(`are refused for ${what}, and none is stored`, async () => {
      await using test = await createTestEngine();
      const body = { name: "n", scopes: ["models"], ...input };
      const refused = await json(await test.call("POST", "/client-keys", body), 400);
      assert.equal(refused.error, "The request is not valid.");
      if (typeof details === "string") assert.equal(refused.details.replace(/\.$/, ""), details);
      else assert.match(refused.details, details);
      assert.deepEqual(await json(await test.call("GET", "/client-keys")), []);
    });
  }
});
