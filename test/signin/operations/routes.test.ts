import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { createDatabase } from "../../../shared/database.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { VERSION } from "../../../signin/version.ts";
import { createSigninWithUsers, send } from "../../support/signin/users.ts";

describe("GET /health", () => {
  it("says that the program answers, and which version", async () => {
    await using signin = await createSigninWithUsers();
    const { status, body } = await send(signin, "GET", "/health", {});
    assert.equal(status, 200);
    assert.deepEqual(body, { status: "ok", version: VERSION });
    const packageJson = JSON.parse(readFileSync("package.json", "utf8"));
    assert.equal(VERSION, packageJson.version);
  });

  it("asks nothing of the database", async () => {
    const client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
    client.close();
    const openDb = () => ({ db: createDatabase(client), close: () => {} });
    await using signin = await createSigninWithUsers({}, { openDb });
    assert.equal((await send(signin, "GET", "/health", {})).status, 200);
  });
});

describe("GET /ready", () => {
  it("tells what a password costs, measured once", async () => {
    let hashes = 0;
    const hasher = {
      hash: async () => {
        hashes += 1;
        signin.deps.clock.advance(190);
        return "hash";
      },
      verify: async () => ({ matches: false, outdated: false }),
    };
    await using signin = await createSigninWithUsers({}, { hasher });
    for (let count = 0; count < 3; count += 1) {
      const { status, body } = await send(signin, "GET", "/ready", {});
      assert.equal(status, 200);
      assert.deepEqual(body, { status: "ready", hash_ms: 190 });
    }
    assert.equal(hashes, 1);
  });

  it("hashes once for probes that arrive together", async () => {
    let hashes = 0;
    const gate = Promise.withResolvers<string>();
    const hash = () => {
      hashes += 1;
      return gate.promise;
    };
    const verify = async () => ({ matches: false, outdated: false });
    await using signin = await createSigninWithUsers({}, { hasher: { hash, verify } });
    const probes = Array.from({ length: 5 }, () => send(signin, "GET", "/ready", {}));
    const early = await Promise.race(probes);
    assert.equal(early.body.hash_ms, null);
    gate.resolve("hash");
    await Promise.all(probes);
    assert.equal(hashes, 1);
  });

  it("is 503 schema_outdated where a step is missing", async () => {
    await using signin = await createSigninWithUsers();
    await signin.db.$client.execute("DELETE FROM schema_migrations");
    const { status, body } = await send(signin, "GET", "/ready", {});
    assert.equal(status, 503);
    assert.equal(body.code, "schema_outdated");
  });

  it("is 503 schema_outdated where the database is of a newer version", async () => {
    await using signin = await createSigninWithUsers();
    await signin.db.$client.execute(
      "INSERT INTO schema_migrations (name, checksum, applied_at) VALUES ('9999_later', 'x', 'x')",
    );
    const { status, body } = await send(signin, "GET", "/ready", {});
    assert.equal(status, 503);
    assert.equal(body.code, "schema_outdated");
  });

  it("is 503 where the database does not answer", async () => {
    const client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
    client.close();
    const openDb = () => ({ db: createDatabase(client), close: () => {} });
    await using signin = await createSigninWithUsers({}, { openDb });
    const { status, body } = await send(signin, "GET", "/ready", {});
    assert.equal(status, 503);
    assert.equal(body.code, "database_unavailable");
  });
});

describe("GET /openapi.json", () => {
  it("describes every route that is served under its address", async () => {
    await using signin = await createSigninWithUsers();
    const { status, body } = await send(signin, "GET", "/openapi.json", {});
    assert.equal(status, 200);
    assert.equal(body.openapi, "3.1.0");
    assert.deepEqual(body.servers, [{ url: "https://auth.example.test" }]);
    const operations = Object.entries(body.paths as Record<string, object>).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`),
    );
    for (const operation of [
      "get /health",
      "get /ready",
      "post /auth/login",
      "post /auth/signup/code",
      "post /auth/signup/complete",
      "post /auth/password/reset/code",
      "post /auth/password/reset/complete",
      "get /auth/sessions",
      "delete /auth/sessions/{id}",
      "get /auth/events",
      "post /auth/refresh",
    ]) {
      assert.ok(operations.includes(operation), operation);
    }
  });

  it("says which operations need no bearer", async () => {
    await using signin = await createSigninWithUsers();
    const { body } = await send(signin, "GET", "/openapi.json", {});
    assert.deepEqual(body.paths["/auth/login"].post.security, []);
    assert.deepEqual(body.paths["/auth/sessions"].get.security, [{ bearer: [] }]);
  });
});
