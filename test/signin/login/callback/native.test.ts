import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createPkce,
  keptCookies,
  nativeQuery,
  openCallback,
  refusalOf,
} from "../../../support/signin/flows.ts";
import { createTestSignin, type TestSignin } from "../../../support/signin/signin.ts";

describe("a native callback", () => {
  const begin = async (signin: TestSignin) => {
    const { challenge } = await createPkce();
    const query = nativeQuery(challenge, "http://localhost:4000/cb?app=1");
    return (await signin.call("GET", `/auth/google/login${query}`)).json();
  };

  it("tells the client at the loopback address what went wrong, with its state", async () => {
    await using signin = await createTestSignin();
    const { url, state } = await begin(signin);
    const response = await openCallback(signin, { url, cookie: "" }, { emailVerified: false });
    assert.equal(response.status, 302);
    assert.equal(
      response.headers.get("location"),
      `http://localhost:4000/cb?app=1&error=email_unverified&state=${state}`,
    );
    assert.deepEqual(keptCookies(response), []);
  });

  it("tells it the person's no", async () => {
    await using signin = await createTestSignin();
    const { state } = await begin(signin);
    const callback = `/auth/google/callback?error=access_denied&state=${state}`;
    const location = (await signin.call("GET", callback)).headers.get("location");
    assert.equal(location, `http://localhost:4000/cb?app=1&error=access_denied&state=${state}`);
  });

  it("answers no client where the state is not valid", async () => {
    await using signin = await createTestSignin();
    const { url } = await begin(signin);
    signin.deps.clock.advance(600_000);
    const response = await openCallback(signin, { url, cookie: "" });
    assert.equal(await refusalOf(response), "400 state_expired");
    assert.equal(response.headers.has("location"), false);
  });

  it("sets no session cookie in the system browser", async () => {
    await using signin = await createTestSignin();
    const { url } = await begin(signin);
    const response = await openCallback(signin, { url, cookie: "" });
    assert.deepEqual(keptCookies(response), []);
    assert.deepEqual(await signin.rows("SELECT 1 FROM sessions"), []);
  });
});
