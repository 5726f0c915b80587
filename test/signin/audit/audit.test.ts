import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toClientKey, toStoredAddress } from "../../../signin/audit/address.ts";
import { createDatabaseAudit } from "../../../signin/audit/database-audit.ts";
import { AUDIT_ROWS_AT_ONCE } from "../../../signin/limits.ts";
import { deleteEnded } from "../../../signin/operations/store.ts";
import { createSigninWithUsers } from "../../support/signin/users.ts";

const ADDRESSES: [given: string, stored: string | null, client: string][] = [
  ["203.0.113.77", "203.0.113.0/24", "203.0.113.77/32"],
  ["::ffff:203.0.113.77", "203.0.113.0/24", "203.0.113.77/32"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48", "2001:db8:1:2::/64"],
  ["2001:DB8:1::7", "2001:db8:1::/48", "2001:db8:1::/64"],
  ["::1", "::/48", "::/64"],
  ["", null, "unknown"],
  ["not an address", null, "unknown"],
  ["203.0.113.777", null, "unknown"],
];

describe("an address", () => {
  for (const [given, stored, client] of ADDRESSES) {
    it(`${JSON.stringify(given)} is kept as ${stored} and counts as ${client}`, () => {
      assert.equal(toStoredAddress(given, { full: false }), stored);
      assert.equal(toClientKey(given), client);
    });
  }

  it("is kept whole where the operator wants it, and nothing that is no address", () => {
    assert.equal(toStoredAddress("203.0.113.77", { full: true }), "203.0.113.77");
    assert.equal(toStoredAddress("<script>", { full: true }), null);
  });
});

describe("the audit trail", () => {
  it("stores the events of one moment with few statements, in their order", async () => {
    await using signin = await createSigninWithUsers();
    const { clock, log } = signin.deps;
    const audit = createDatabaseAudit({ db: signin.db, clock, log, fullAddresses: false });
    const { $client } = signin.db;
    const { execute } = $client;
    let statements = 0;
    $client.execute = ((...args: Parameters<typeof execute>) => {
      statements += 1;
      return execute.apply($client, args);
    }) as typeof execute;
    const record = (at: number) =>
      audit.record({ type: "login.success", outcome: "success", userId: `u${at}` });
    const count = AUDIT_ROWS_AT_ONCE * 2 + 1;
    await Promise.all(Array.from({ length: count }, (_, at) => record(at)));
    assert.equal(statements, 3);
    await record(count);
    assert.equal(statements, 4);
    const rows = await signin.rows("SELECT user_id FROM audit_events ORDER BY id");
    assert.deepEqual(
      rows.map((row) => row.user_id),
      Array.from({ length: count + 1 }, (_, at) => `u${at}`),
    );
  });

  it("keeps facts, a shortened address and a bounded user agent", async () => {
    await using signin = await createSigninWithUsers();
    const { clock, log } = signin.deps;
    const audit = createDatabaseAudit({ db: signin.db, clock, log, fullAddresses: false });
    await audit.record({
      type: "apikey.connected",
      outcome: "success",
      userId: "u",
      sessionId: "s",
      client: {
        requestId: "r",
        address: "203.0.113.77",
        userAgent: "x".repeat(5000),
        language: "en",
      },
      detail: { provider: "openai" },
    });
    const [row] = await signin.rows("SELECT * FROM audit_events");
    assert.deepEqual(
      { ...row, ua: String(row?.ua).length },
      {
        ...row,
        type: "apikey.connected",
        user_id: "u",
        session_id: "s",
        ip_prefix: "203.0.113.0/24",
        ua: 256,
        outcome: "success",
        detail_json: '{"provider":"openai"}',
        request_id: "r",
      },
    );
  });

  it("locks no user out when it is down, and logs the failure", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token } = await signin.signUp("ann@example.test");
    await signin.db.$client.execute("ALTER TABLE audit_events RENAME TO away");
    const answer = await signin.post("/auth/login", {
      email: "ann@example.test",
      password: "correct horse battery",
    });
    assert.equal(answer.status, 200);
    assert.ok(signin.logged.some((line) => line.includes("audit event could not be stored")));
    assert.ok(!signin.logged.join("\n").includes("correct horse"));
    assert.ok(!signin.logged.join("\n").includes(access_token));
  });

  it("is deleted in bounded steps once it is old", async () => {
    await using signin = await createSigninWithUsers();
    const audit = signin.deps.openAudit(signin.db);
    for (let at = 0; at < 5; at += 1) {
      await audit.record({ type: "login.failure", outcome: "failure" });
    }
    signin.deps.clock.advance(10_000);
    await audit.record({ type: "login.success", outcome: "success" });
    const before = Math.floor(signin.deps.clock.now() / 1000);
    assert.equal(await deleteEnded(signin.db, "audit_events", { before, limit: 4 }), 4);
    assert.equal(await deleteEnded(signin.db, "audit_events", { before, limit: 4 }), 1);
    const rows = await signin.rows("SELECT type FROM audit_events");
    assert.deepEqual(
      rows.map(({ type }) => type),
      ["login.success"],
    );
  });
});

describe("GET /auth/events", () => {
  it("answers the user's own events alone, the newest first", async () => {
    await using signin = await createSigninWithUsers();
    const ann = await signin.signUp("ann@example.test");
    const bob = await signin.signUp("bob@example.test");
    await signin.post("/auth/login", { email: "ann@example.test", password: "a wrong one" });
    const { status, body } = await signin.get("/auth/events", ann.access_token);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["events"]);
    assert.deepEqual(
      body.events.map(({ type }: { type: string }) => type),
      ["login.failure", "session.created", "signup.completed"],
    );
    for (const event of body.events) {
      assert.match(event.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(event.network, "203.0.113.0/24");
    }
    const text = JSON.stringify(body);
    assert.ok(!text.includes(bob.user.id));
    assert.ok(!text.includes('203.0.113.7"'));
  });

  it("answers at most 100", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token, user } = await signin.signUp("ann@example.test");
    const audit = signin.deps.openAudit(signin.db);
    for (let at = 0; at < 120; at += 1) {
      await audit.record({ type: "apikey.removed", outcome: "success", userId: user.id });
    }
    const { body } = await signin.get("/auth/events", access_token);
    assert.equal(body.events.length, 100);
  });

  it("keeps a sign-in visible, however many codes and refusals strangers cause after it", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer, user } = await signin.signUp("ann@example.test");
    await signin.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
       INSERT INTO audit_events (at, type, user_id, outcome)
       SELECT 2000000000 + i, iif(i % 2, 'login.failure', 'login.code_sent'), '${user.id}', iif(i % 2, 'failure', 'success') FROM n`,
    );
    const { events } = (await signin.get("/auth/events", bearer)).body;
    const types = events.map(({ type }: { type: string }) => type);
    assert.ok(types.includes("session.created"));
    assert.equal(types.indexOf("signup.completed") >= 25, true);
    assert.equal(types.filter((type: string) => /failure|code_sent/.test(type)).length, 25);
  });

  it("needs a bearer token", async () => {
    await using signin = await createSigninWithUsers();
    const answer = await signin.get("/auth/events", "nonsense");
    assert.equal(answer.status, 401);
    assert.equal(answer.body.code, "invalid_token");
  });
});
