// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFairQueue } from "../../../signin/passwords/hash-queue.ts";
import { type HashClient, HasherBusy } from "../../../signin/passwords/hasher.ts";
import { deriveWithScrypt } from "../../../signin/passwords/scrypt.ts";
import { createScryptHasher } from "../../../signin/passwords/scrypt-hasher.ts";
import { createSigninWithUsers, PASSWORD } from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";

describe("sign-in with a password", () => {
  it("answers tokens of a session of kind password, and no cookie", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    const answer = await signin.post("/auth/login", {
      email: " ANN@example.test",
      password: PASSWORD,
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("set-cookie"), null);
    const { sessions } = (await signin.get("/auth/sessions", answer.body.access_token)).body;
    assert.deepEqual(
      sessions.map(({ kind, current }: Record<string, unknown>) => [kind, current]),
      [
        ["password", true],
        ["password", false],
      ],
    );
  });

  it("compares the password exactly as it arrived", async () => {
    await using signin = await createSigninWithUsers();
    const password = "Ångström  is ten";
    await signin.signUp(EMAIL, password);
    for (const other of [
      password.toLowerCase(),
      password.normalize("NFD"),
      ` ${password}`,
      `${password} `,
      password.replace("  ", " "),
      `${password}\u0000`,
    ]) {
      const { status } = await signin.post("/auth/login", { email: EMAIL, password: other });
      signin.deps.clock.advance(301_000);
      assert.equal(status, 401, JSON.stringify(other));
    }
    assert.equal((await signin.post("/auth/login", { email: EMAIL, password })).status, 200);
  });

  it("records success and failure in the user's own trail", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token } = await signin.signUp(EMAIL);
    await signin.post("/auth/login", { email: EMAIL, password: "not the password" });
    const { events } = (await signin.get("/auth/events", access_token)).body;
    const [newest] = events;
    assert.equal(newest.type, "login.failure");
    assert.equal(newest.outcome, "failure");
    assert.deepEqual(newest.detail, { method: "password" });
    assert.ok(!JSON.stringify(events).includes("not the password"));
  });

  it("hashes again when the parameters have changed since", async () => {
    const weak = createScryptHasher({
      derive: deriveWithScrypt,
      parameters: { log2Cost: 4, blockSize: 8, parallelism: 1 },
      queue: createFairQueue({ atOnceMax: 4, waitingMax: 4 }),
    });
    const strong = createScryptHasher({
      derive: deriveWithScrypt,
      parameters: { log2Cost: 5, blockSize: 8, parallelism: 1 },
      queue: createFairQueue({ atOnceMax: 4, waitingMax: 4 }),
    });
    await using signin = await createSigninWithUsers({}, { hasher: strong });
    await signin.signUp(EMAIL);
    await signin.db.$client.execute({
      sql: "UPDATE users SET password_hash = ?",
      args: [await weak.hash(PASSWORD)],
    });
    const login = { email: EMAIL, password: PASSWORD };
    assert.equal((await signin.post("/auth/login", login)).status, 200);
    const [user] = await signin.rows("SELECT password_hash FROM users");
    assert.match(String(user?.password_hash), /^\$scrypt\$ln=5,r=8,p=1\$/);
    assert.equal((await signin.post("/auth/login", login)).status, 200);
  });

  it("keeps a wrong password from renewing the hash", async () => {
    let hashed = 0;
    const hasher = {
      hash: async (password: string) => {
        hashed += 1;
        return `plain:${password}`;
      },
      verify: async () => ({ matches: false, outdated: false }),
    };
    await using signin = await createSigninWithUsers({}, { hasher });
    await signin.signUp(EMAIL);
    await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal(hashed, 1, "the sign-up alone");
  });

  it("has a place in the queue for the networks of the account's live sessions", async () => {
    const seen: unknown[] = [];
    const hasher = {
      hash: async (password: string) => `plain:${password}`,
      verify: async (_password: string, _stored: string, client?: HashClient) => {
        seen.push(client?.isKnown);
        return { matches: false, outdated: false };
      },
    };
    await using signin = await createSigninWithUsers({}, { hasher });
    await signin.signUp(EMAIL);
    const logIn = (email: string, from = {}) =>
      signin.post("/auth/login", { email, password: PASSWORD }, { from });
    await logIn(EMAIL);
    await logIn(EMAIL, { address: "198.51.100.1" });
    await logIn("unknown@example.test");
    await signin.rows("UPDATE sessions SET revoked_at = 1");
    await logIn(EMAIL);
    assert.deepEqual(seen, [true, false, false, false]);
  });

  it("tells the client to come back when too many passwords are being checked", async () => {
    const busy = async () => {
      throw new HasherBusy();
    };
    await using signin = await createSigninWithUsers({}, { hasher: { hash: busy, verify: busy } });
    const answer = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal(answer.status, 429);
    assert.equal(answer.body.code, "rate_limited");
    assert.ok(Number(answer.headers.get("retry-after")) >= 1);
  });

  it("keeps 20 sessions, and ends the oldest beyond", async () => {
    await using signin = await createSigninWithUsers();
    const first = await signin.signUp(EMAIL);
    let newest = first;
    for (let count = 0; count < 20; count += 1) {
      signin.deps.clock.advance(301_000);
      newest = (await signin.post("/auth/login", { email: EMAIL, password: PASSWORD })).body;
    }
    const { sessions } = (await signin.get("/auth/sessions", newest.access_token)).body;
    assert.equal(sessions.length, 20);
    const old = await signin.post("/auth/refresh", { refresh_token: first.refresh_token });
    assert.equal(old.status, 401);
    assert.equal(old.body.code, "session_expired");
  });
});

describe("the limits of sign-in with a password", () => {
  it("refuse the sixth guess in five minutes at an account from one address, and say when to come back", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    const guess = () => signin.post("/auth/login", { email: EMAIL, password: "a wrong one" });
    for (let count = 0; count < 5; count += 1) assert.equal((await guess()).status, 401);
    signin.deps.clock.advance(100_000);
    const refused = await guess();
    assert.equal(refused.status, 429);
    assert.equal(refused.body.code, "rate_limited");
    assert.equal(refused.headers.get("retry-after"), "200");
    const right = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal(right.status, 429, "the right password is no way around");
    signin.deps.clock.advance(200_000);
    assert.equal((await guess()).status, 401);
  });

  it("let the owner in from elsewhere meanwhile", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    for (let count = 0; count < 10; count += 1) {
      await signin.post("/auth/login", { email: EMAIL, password: "a wrong one" });
    }
    const body = { email: EMAIL, password: PASSWORD };
    const answer = await signin.post("/auth/login", body, { from: { address: "198.51.100.1" } });
    assert.equal(answer.status, 200);
  });

  it("count guesses at an account from everywhere together", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    const guess = (at: number) =>
      signin.post(
        "/auth/login",
        { email: EMAIL, password: "a wrong one" },
        { from: { address: `198.51.100.${at}` } },
      );
    for (let at = 1; at <= 50; at += 1) assert.equal((await guess(at)).status, 401);
    assert.equal((await guess(51)).status, 429);
  });

  it("do not keep the owner out where strangers used them up: networks of live sessions have their own", async () => {
    await using signin = await createSigninWithUsers();
    const { user } = await signin.signUp(EMAIL);
    const logIn = (address: string, password: string) =>
      signin.post("/auth/login", { email: EMAIL, password }, { from: { address } });
    for (let at = 1; at <= 60; at += 1) await logIn(`198.51.${at}.1`, "a wrong one");
    assert.equal((await logIn("198.51.100.1", PASSWORD)).status, 429, "a strange network");
    const answer = await logIn("203.0.113.99", PASSWORD);
    assert.equal(answer.status, 200, "another address of the network that signed up");
    assert.equal(answer.body.user.id, user.id);
    // Of one network, no more than of all strangers together.
    const statuses = [];
    for (let at = 100; at < 160; at += 1) {
      statuses.push((await logIn(`203.0.113.${at}`, "a wrong one")).status);
    }
    assert.equal(statuses.filter((status) => status === 401).length, 49);
    assert.equal(statuses.at(-1), 429);
  });

  it("know the network where sessions keep whole addresses, and forget it with the session", async () => {
    await using signin = await createSigninWithUsers({ AUDIT_FULL_IP: "1" });
    await signin.signUp(EMAIL);
    const logIn = (address: string, password: string) =>
      signin.post("/auth/login", { email: EMAIL, password }, { from: { address } });
    for (let at = 1; at <= 50; at += 1) await logIn(`198.51.${at}.1`, "a wrong one");
    assert.equal((await logIn("203.0.113.99", "a wrong one")).status, 401);
    await signin.db.$client.execute("UPDATE sessions SET revoked_at = 1");
    assert.equal((await logIn("203.0.113.98", PASSWORD)).status, 429);
  });

  it("count all accounts that one address tries, and a /64 of IPv6 as one address", async () => {
    await using signin = await createSigninWithUsers();
    const guess = (at: number) =>
      signin.post(
        "/auth/login",
        { email: `user${at}@example.test`, password: "a wrong one" },
        { from: { address: `2001:db8:1:2::${at.toString(16)}` } },
      );
    for (let at = 1; at <= 30; at += 1) assert.equal((await guess(at)).status, 401);
    assert.equal((await guess(31)).status, 429);
    const other = { from: { address: "2001:db8:1:3::1" } };
    const body = { email: "user1@example.test", password: "a wrong one" };
    assert.equal((await signin.post("/auth/login", body, other)).status, 401);
  });

  it("are reset after a successful sign-in", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 4; count += 1) {
        await signin.post("/auth/login", { email: EMAIL, password: "a wrong one" });
      }
      const right = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
      assert.equal(right.status, 200);
    }
  });

  it("let five of 50 guesses that arrive at once reach the password", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    const body = { email: EMAIL, password: "a wrong one" };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => signin.post("/auth/login", body)),
    );
    assert.equal(answers.filter(({ status }) => status === 401).length, 5);
    assert.equal(answers.filter(({ status }) => status === 429).length, 45);
  });
});
