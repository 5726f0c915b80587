import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cleanUp } from "../../../signin/operations/cleanup.ts";
import { signIn } from "../../support/signin/flows.ts";
import {
  createSigninWithUsers,
  PASSWORD,
  type SigninWithUsers,
} from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";
const FIREFOX =
  "Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0 <a href=evil>";
const HOME = "203.0.113.7";
const AWAY = "198.51.100.7";

async function logIn(signin: SigninWithUsers, userAgent: string, address = HOME) {
  signin.mails.length = 0;
  const options = { headers: { "user-agent": userAgent }, from: { address } };
  const answer = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD }, options);
  assert.equal(answer.status, 200);
  return signin.mails.map(({ subject }) => subject);
}

const TOLD = ["Your account was used on a new device"];

describe("a sign-in from a new device", () => {
  it("is mailed once for each user agent and network, in words that the client cannot choose", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    assert.deepEqual(await logIn(signin, ""), [], "the device that signed up");
    assert.deepEqual(await logIn(signin, FIREFOX), TOLD);
    const [mail] = signin.mails;
    assert.equal(mail?.to, EMAIL);
    assert.match(
      mail?.text ?? "",
      /from the network 203\.0\.113\.0\/24\nDevice: Firefox, Windows\n/,
    );
    assert.doesNotMatch(`${mail?.text}${mail?.html}`, /evil|Gecko/);
    assert.deepEqual(await logIn(signin, FIREFOX, "203.0.113.99"), [], "the same network");
    assert.deepEqual(await logIn(signin, FIREFOX, AWAY), TOLD);
    assert.deepEqual(await logIn(signin, "", AWAY), TOLD, "each pair counts");
    assert.deepEqual(await logIn(signin, FIREFOX, AWAY), []);
  });

  it("is known also after the cleanup deleted its session", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    assert.deepEqual(await logIn(signin, FIREFOX), TOLD);
    await signin.post("/auth/logout", { scope: "global" }, { bearer });
    signin.deps.clock.advance(2 * 86_400_000);
    await cleanUp({ db: signin.db, clock: signin.deps.clock });
    assert.deepEqual(await signin.rows("SELECT id FROM sessions"), []);
    assert.deepEqual(await logIn(signin, FIREFOX), []);
    assert.deepEqual(await logIn(signin, FIREFOX, AWAY), TOLD);
  });

  it("of two at once is mailed once", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    signin.mails.length = 0;
    const options = { headers: { "user-agent": FIREFOX }, from: { address: AWAY } };
    const body = { email: EMAIL, password: PASSWORD };
    await Promise.all([1, 2, 3].map(() => signin.post("/auth/login", body, options)));
    assert.equal(signin.mails.length, 1);
  });

  it("by a provider is mailed, and the one that makes the account is not", async () => {
    await using signin = await createSigninWithUsers();
    await signIn(signin);
    await signin.get("/auth/me", "");
    assert.deepEqual(signin.mails, []);
    signin.deps.clock.advance(3_600_000);
    await signin.rows("UPDATE sessions SET user_agent = 'another'");
    await signIn(signin);
    await signin.get("/auth/me", "");
    assert.deepEqual(
      signin.mails.map(({ subject }) => subject),
      TOLD,
    );
  });
});
