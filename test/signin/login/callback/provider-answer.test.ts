import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertSafe, beginFlow, refusalOf } from "../../../support/signin/flows.ts";
import { BASE_URL, createTestSignin, type TestSignin } from "../../../support/signin/signin.ts";

describe("an answer of the provider in the callback", () => {
  const callWith = async (signin: TestSignin, extra: string, drop: string[] = []) => {
    const flow = await beginFlow(signin);
    const url = new URL(await signin.idp.authorize(flow.url));
    for (const name of drop) url.searchParams.delete(name);
    signin.idp.takeRequests();
    return signin.call("GET", `${url.href}${extra}`, { cookie: flow.cookie });
  };

  const cases: [name: string, extra: string, drop: string[], refusal: string][] = [
    ["the person's no", "&error=access_denied&error_uri=canary", ["code"], "403 access_denied"],
    ["another error", "&error=server_error", ["code"], "502 provider_error"],
    ["an error beside a code", "&error=access_denied", [], "403 access_denied"],
    ["no code", "", ["code"], "403 identity_rejected"],
    ["two codes", "&code=other", [], "403 identity_rejected"],
    [
      "another issuer (RFC 9207)",
      "&iss=https%3A%2F%2Fevil.example.test",
      [],
      "403 identity_rejected",
    ],
    ["a token of the implicit flow", "&id_token=a.b.c", [], "403 identity_rejected"],
    ["a JARM response", "&response=a.b.c", [], "403 identity_rejected"],
  ];
  for (const [name, extra, drop, refusal] of cases) {
    it(`that is ${name} starts no session`, async () => {
      await using signin = await createTestSignin();
      await assertSafe(signin, await callWith(signin, extra, drop), refusal);
      assert.equal(signin.logged.join().includes("canary"), false);
    });
  }

  it("that is a code of another flow is refused by PKCE", async () => {
    await using signin = await createTestSignin();
    const victim = await beginFlow(signin);
    const attacker = await beginFlow(signin);
    const stolen = new URL(await signin.idp.authorize(attacker.url, { subject: "666" }));
    const callback = new URL(`${BASE_URL}/auth/google/callback`);
    callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    callback.searchParams.set("state", new URL(victim.url).searchParams.get("state") ?? "");
    const response = await signin.call("GET", callback.href, { cookie: victim.cookie });
    assert.equal(await refusalOf(response), "403 identity_rejected");
    assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
  });
});
