import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PasswordHasher } from "../../../signin/passwords/hasher.ts";
import { createSigninWithUsers, PASSWORD } from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";
const NEW_PASSWORD = "another fine phrase";

/** A hasher whose next `verify` stops after the comparison, until the test lets it go on. */
function createHeldHasher(outdated = false) {
  const reached: PromiseWithResolvers<void>[] = [];
  const gate = Promise.withResolvers<void>();
  const hasher: PasswordHasher = {
    hash: async (password) => `plain:${password}`,
    async verify(password, stored) {
      const matches = stored === `plain:${password}` || stored === `old:${password}`;
      const mark = reached.shift();
      if (mark) {
        mark.resolve();
        await gate.promise;
      }
      return { matches, outdated: outdated && stored.startsWith("old:") };
    },
  };
  const hold = () => {
    const mark = Promise.withResolvers<void>();
    reached.push(mark);
    return mark.promise;
  };
  return { hasher, hold, release: () => gate.resolve() };
}

describe("a login that is under way", () => {
  it("gets no session from the old password once a reset has committed", async () => {
    const { hasher, hold, release } = createHeldHasher();
    await using signin = await createSigninWithUsers({}, { hasher });
    await signin.signUp(EMAIL);
    const isHeld = hold();
    const login = signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    await isHeld;
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    const body = { email: EMAIL, code, password: NEW_PASSWORD };
    assert.equal((await signin.post("/auth/password/reset/complete", body)).status, 200);
    release();
    const late = await login;
    assert.equal(late.status, 401);
    assert.equal(late.body.code, "invalid_credentials");
    const alive = await signin.rows("SELECT id FROM sessions WHERE revoked_at IS NULL");
    assert.equal(alive.length, 1, "the session of the reset alone");
    assert.equal(signin.audited.at(-1)?.type, "login.failure");
    const [user] = await signin.rows("SELECT password_hash FROM users");
    assert.equal(user?.password_hash, `plain:${NEW_PASSWORD}`, "nothing is hashed again");
  });

  it("gets its session where another login renewed the hash of the same password", async () => {
    const { hasher, hold, release } = createHeldHasher(true);
    await using signin = await createSigninWithUsers({}, { hasher });
    await signin.signUp(EMAIL);
    await signin.db.$client.execute({
      sql: "UPDATE users SET password_hash = ?",
      args: [`old:${PASSWORD}`],
    });
    const isHeld = hold();
    const login = signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    await isHeld;
    const other = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal(other.status, 200);
    const [user] = await signin.rows("SELECT password_hash FROM users");
    assert.equal(user?.password_hash, `plain:${PASSWORD}`);
    release();
    assert.equal((await login).status, 200);
  });
});
