// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomToken } from "../../../../shared/random.ts";
import {
  assertSafe,
  beginFlow,
  createPkce,
  nativeQuery,
  openCallback,
  refusalOf,
} from "../../../support/signin/flows.ts";
import { createTestSignin, type TestSignin } from "../../../support/signin/signin.ts";

describe("state", () => {
  const begin = async (signin: TestSignin) => {
    const flow = await beginFlow(signin);
    const callback = await signin.idp.authorize(flow.url);
    signin.idp.takeRequests();
    return { ...flow, callback };
  };

  it("is single-use", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    assert.equal((await signin.call("GET", callback, { cookie })).status, 302);
    signin.idp.takeRequests();
    const again = await signin.call("GET", callback, { cookie });
    assert.equal(await refusalOf(again), "400 invalid_state");
    assert.deepEqual(signin.idp.takeRequests(), []);
  });

  it("is single-use where the first callback failed, too", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    signin.idp.intercept = () => new Response(null, { status: 500 });
    assert.equal((await signin.call("GET", callback, { cookie })).status, 502);
    signin.idp.intercept = undefined;
    assert.equal(
      await refusalOf(await signin.call("GET", callback, { cookie })),
      "400 invalid_state",
    );
  });

  it("ends after ten minutes", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    signin.deps.clock.advance(600_000);
    await assertSafe(signin, await signin.call("GET", callback, { cookie }), "400 state_expired");
  });

  it("is good until then", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    signin.deps.clock.advance(599_000);
    assert.equal((await openCallback(signin, flow)).status, 302);
  });

  it("does nothing in another browser, and stays good in its own", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    const other = await begin(signin);
    for (const foreign of [undefined, other.cookie, `${cookie.split("=")[0]}=${randomToken()}`]) {
      const response = await signin.call("GET", callback, { cookie: foreign });
      await assertSafe(signin, response, "400 invalid_state");
    }
    assert.equal((await signin.call("GET", callback, { cookie })).status, 302);
  });

  it("is refused where the binding cookie came twice", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    const tossed = `${cookie}; ${cookie.split("=")[0]}=${randomToken()}`;
    await assertSafe(
      signin,
      await signin.call("GET", callback, { cookie: tossed }),
      "400 invalid_state",
    );
  });

  it("of one provider is nothing at another one's callback", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    const mixed = callback.replace("/auth/google/", "/auth/github/");
    await assertSafe(signin, await signin.call("GET", mixed, { cookie }), "400 invalid_state");
    assert.equal((await signin.call("GET", callback, { cookie })).status, 302);
  });

  it("is not spent by HEAD", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    assert.equal((await signin.call("HEAD", callback, { cookie })).status, 405);
    assert.equal((await signin.call("GET", callback, { cookie })).status, 302);
  });

  const queries: Record<string, (state: string) => string> = {
    "no state": () => "?code=x",
    "an empty state": () => "?code=x&state=",
    "an unknown state": () => `?code=x&state=${randomToken()}`,
    "two states": (state) => `?code=x&state=${state}&state=${state}`,
    "a very long state": () => `?code=x&state=${"s".repeat(5000)}`,
    "a state with a line feed": (state) => `?code=x&state=${state}%0a`,
    "a state in another case": (state) => `?code=x&state=${state.toUpperCase()}`,
    "a list for a state": (state) => `?code=x&state[]=${state}`,
    nothing: () => "",
  };
  for (const [name, query] of Object.entries(queries)) {
    it(`is needed: ${name} is refused`, async () => {
      await using signin = await createTestSignin();
      const { url, cookie } = await begin(signin);
      const state = new URL(url).searchParams.get("state") ?? "";
      const response = await signin.call("GET", `/auth/google/callback${query(state)}`, { cookie });
      await assertSafe(signin, response, "400 invalid_state");
    });
  }

  it("opens no cookie of another state, and none that was changed or cut", async () => {
    await using signin = await createTestSignin();
    const [first, second] = [await begin(signin), await begin(signin)];
    const [name = "", value = ""] = first.cookie.split("=");
    const [, foreign = ""] = second.cookie.split("=");
    // Not the last character: of it, some bits do not count.
    const changed = value.at(-2) === "A" ? "B" : "A";
    for (const bad of [
      foreign,
      `${value.slice(0, -2)}${changed}${value.at(-1)}`,
      value.slice(0, -5),
      "v1.a.b.c",
      "",
    ]) {
      const cookie = `${name}=${bad}`;
      await assertSafe(
        signin,
        await signin.call("GET", first.callback, { cookie }),
        "400 invalid_state",
      );
    }
    assert.equal((await signin.call("GET", first.callback, { cookie: first.cookie })).status, 302);
  });

  it("of a native flow is single-use too, and holds the flow sealed", async () => {
    await using signin = await createTestSignin();
    const { challenge } = await createPkce();
    const query = nativeQuery(challenge);
    const begun = await (await signin.call("GET", `/auth/google/login${query}`)).json();
    const callback = await signin.idp.authorize(begun.url);
    assert.doesNotMatch(begun.state, /127\.0\.0\.1/);
    const changed = callback.replace(/state=v1\.(\w)/, "state=v1.0");
    assert.equal(await refusalOf(await signin.call("GET", changed)), "400 invalid_state");
    const back = await signin.call("GET", callback);
    assert.equal(
      new URL(back.headers.get("location") ?? "").searchParams.get("state"),
      begun.state,
    );
    assert.equal(await refusalOf(await signin.call("GET", callback)), "400 invalid_state");
  });

  it("does not hold for POST", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    const response = await signin.call("POST", callback, { cookie });
    assert.equal(response.status, 405);
    assert.match(response.headers.get("allow") ?? "", /GET/);
  });
});
