import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginFlow, link, openCallback, signIn } from "../../../support/signin/flows.ts";
import { createTestSignin, type TestSignin } from "../../../support/signin/signin.ts";

describe("the trail of callbacks", () => {
  const last = (signin: TestSignin) => {
    const event = signin.audited.at(-1);
    assert.ok(event);
    return { ...event, client: undefined };
  };

  it("tells a rejected identity from a failed sign-in, and neither has a secret", async () => {
    await using signin = await createTestSignin();
    await openCallback(signin, await beginFlow(signin), { emailVerified: false });
    assert.deepEqual(last(signin), {
      type: "identity.rejected",
      outcome: "failure",
      client: undefined,
      detail: { provider: "google", mode: "login", reason: "email_unverified" },
    });
    const flow = await beginFlow(signin);
    signin.idp.intercept = () => new Response(null, { status: 500 });
    await openCallback(signin, flow);
    assert.equal(last(signin).type, "login.failure");
    assert.equal(signin.audited.length, 2);
  });

  it("keeps a refused link with the account that asked for it", async () => {
    await using signin = await createTestSignin();
    const { accessToken, user } = await signIn(signin);
    await link(signin, accessToken, { provider: "github", emails: [] });
    assert.equal(last(signin).type, "identity.rejected");
    assert.equal(last(signin).userId, user.id);
  });
});
