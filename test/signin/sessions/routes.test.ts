import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deleteEnded } from "../../../signin/operations/store.ts";
import { createSigninWithUsers, PASSWORD, send } from "../../support/signin/users.ts";

const ANN = "ann@example.test";
/** That of `CLIENT_ADDRESS`. */
const NETWORK = "203.0.113.0/24";
const BOB = "bob@example.test";

async function createTwoUsers() {
  const signin = await createSigninWithUsers();
  const ann = await signin.signUp(ANN);
  const bob = await signin.signUp(BOB);
  const second = (await signin.post("/auth/login", { email: ANN, password: PASSWORD })).body;
  const list = async (bearer: string) => (await signin.get("/auth/sessions", bearer)).body.sessions;
  const end = (bearer: string, id: string) =>
    send(signin, "DELETE", `/auth/sessions/${id}`, { bearer });
  return { signin, ann, second, bob, list, end };
}

describe("GET /auth/sessions", () => {
  it("lists the user's own that are alive, the last used first, and marks the current one", async () => {
    const { signin, ann, second, list } = await createTwoUsers();
    await using _ = signin;
    const sessions = await list(ann.access_token);
    assert.equal(sessions.length, 2);
    assert.deepEqual(
      sessions.map(({ current }: { current: boolean }) => current),
      [false, true],
    );
    assert.deepEqual(Object.keys(sessions[0]), [
      "id",
      "kind",
      "created_at",
      "last_seen_at",
      "network",
      "user_agent",
      "current",
    ]);
    const { network, user_agent } = sessions[0];
    assert.deepEqual({ network, user_agent }, { network: NETWORK, user_agent: null });
    assert.equal(sessions[0].created_at, "2026-01-02T03:06:07.000Z");
    signin.deps.clock.advance(5_000);
    await signin.post("/auth/refresh", { refresh_token: ann.refresh_token });
    const [newest] = await list(second.access_token);
    assert.equal(newest.last_seen_at, "2026-01-02T03:06:12.000Z");
    assert.equal(newest.current, false);
  });

  it("leaves out what has ended or run out", async () => {
    const { signin, second, list } = await createTwoUsers();
    await using _ = signin;
    await signin.db.$client.execute(
      "UPDATE sessions SET idle_expires_at = 1 WHERE created_at = (SELECT min(created_at) FROM sessions)",
    );
    assert.equal((await list(second.access_token)).length, 1);
  });

  it("needs a bearer token", async () => {
    await using signin = await createSigninWithUsers();
    const answer = await signin.get("/auth/sessions", "nonsense");
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get("www-authenticate"), 'Bearer error="invalid_token"');
  });
});

describe("DELETE /auth/sessions/{id}", () => {
  it("ends another session of the user at once: access and refresh", async () => {
    const { signin, ann, second, list, end } = await createTwoUsers();
    await using _ = signin;
    const [other] = (await list(ann.access_token)).filter(
      (entry: { current: boolean }) => !entry.current,
    );
    const answer = await end(ann.access_token, other.id);
    assert.equal(answer.status, 204);
    assert.equal(answer.body, undefined);
    assert.equal((await signin.get("/auth/sessions", second.access_token)).status, 401);
    const refresh = await signin.post("/auth/refresh", { refresh_token: second.refresh_token });
    assert.equal(refresh.body.code, "session_expired");
    assert.equal((await list(ann.access_token)).length, 1);
    const revoked = signin.audited.filter(({ type }) => type === "session.revoked");
    assert.deepEqual(
      revoked.map(({ sessionId, detail }) => [sessionId, detail]),
      [[other.id, { reason: "user_request" }]],
    );
  });

  it("may end the session that asks", async () => {
    const { signin, bob, list, end } = await createTwoUsers();
    await using _ = signin;
    const [{ id }] = await list(bob.access_token);
    assert.equal((await end(bob.access_token, id)).status, 204);
    assert.equal((await signin.get("/auth/sessions", bob.access_token)).status, 401);
  });

  it("answers 404 for another user's, an unknown and an ended one alike", async () => {
    const { signin, ann, bob, list, end } = await createTwoUsers();
    await using _ = signin;
    const [bobs] = await list(bob.access_token);
    const [anns] = (await list(ann.access_token)).filter(
      (entry: { current: boolean }) => !entry.current,
    );
    await end(ann.access_token, anns.id);
    for (const id of [bobs.id, anns.id, "unknown", "%20", "a".repeat(2000)]) {
      const answer = await end(ann.access_token, id);
      assert.equal(answer.status, 404, id);
      assert.equal(answer.body.error, "Session not found.");
    }
    assert.equal((await list(bob.access_token)).length, 1, "Bob is still signed in");
  });

  it("ends a session once, of 25 requests at once", async () => {
    const { signin, ann, list, end } = await createTwoUsers();
    await using _ = signin;
    const [other] = (await list(ann.access_token)).filter(
      (entry: { current: boolean }) => !entry.current,
    );
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => end(ann.access_token, other.id)),
    );
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    assert.equal(answers.filter(({ status }) => status === 404).length, 24);
  });

  it("needs a bearer token", async () => {
    const { signin, end } = await createTwoUsers();
    await using _ = signin;
    assert.equal((await end("nonsense", "any")).status, 401);
  });
});

describe("sessions that are over", () => {
  it("are deleted in bounded steps, those alive are not", async () => {
    const { signin } = await createTwoUsers();
    await using _ = signin;
    await signin.db.$client.execute(
      "UPDATE sessions SET revoked_at = 5 WHERE user_id IN (SELECT id FROM users WHERE email = 'ann@example.test')",
    );
    assert.equal(await deleteEnded(signin.db, "sessions", { before: 10, limit: 1 }), 1);
    assert.equal(await deleteEnded(signin.db, "sessions", { before: 10, limit: 5 }), 1);
    assert.equal(await deleteEnded(signin.db, "sessions", { before: 10, limit: 5 }), 0);
    assert.equal((await signin.rows("SELECT id FROM sessions")).length, 1);
  });
});
