// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginFlow, openCallback, refusalOf } from "../../support/signin/flows.ts";
import { ISSUER, OAUTH } from "../../support/signin/identity-provider.ts";
import { createTestSignin } from "../../support/signin/signin.ts";

/** A response whose status no `Response` can be made with; a socket can carry it. */
function withStatus(status: number): Response {
  return Object.defineProperty(new Response("odd"), "status", { value: status });
}

const ENDPOINTS = {
  "discovery document": ["google", `${ISSUER}/.well-known/openid-configuration`],
  "key set": ["google", `${ISSUER}/jwks`],
  "token endpoint": ["google", `${ISSUER}/token`],
  "UserInfo endpoint": ["google", `${ISSUER}/userinfo`],
  "OAuth token endpoint": ["github", `${OAUTH}/login/oauth/access_token`],
  "profile endpoint": ["github", `${OAUTH}/api/user`],
  "e-mail endpoint": ["github", `${OAUTH}/api/user/emails`],
} as const;

describe("an answer that is no HTTP answer of a provider is 502 and makes no account", () => {
  const answers: Record<string, () => Response> = {
    "status 999": () => withStatus(999),
    "status 600": () => withStatus(600),
    "status 199": () => withStatus(199),
    "status 0": () => withStatus(0),
    "a body that breaks off": () =>
      new Response(
        new ReadableStream({ start: (stream) => stream.error(new TypeError("terminated")) }),
      ),
  };
  for (const [endpoint, [provider, address]] of Object.entries(ENDPOINTS)) {
    for (const [name, answer] of Object.entries(answers)) {
      it(`${name} from the ${endpoint}`, async () => {
        await using signin = await createTestSignin();
        signin.idp.claims = { email: undefined };
        signin.idp.intercept = (request) =>
          request.url.split("?")[0] === address ? answer() : undefined;
        const begun = await signin.call("GET", `/auth/${provider}/login`);
        const response =
          begun.status === 302
            ? await openCallback(signin, await beginFlow(signin, provider))
            : begun;
        assert.match(await refusalOf(response), /^502 provider_(error|unavailable)$/);
        assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
      });
    }
  }
});

describe("a subject that the database could not tell from another", () => {
  const subjects = {
    "with a lone high surrogate": "v\ud800x",
    "with a lone low surrogate": "v\udc00x",
    "with U+0000": "v\u0000x",
    "with a line break": "v\nx",
    "with a C1 control character": "v\u0085x",
  };
  for (const [name, sub] of Object.entries(subjects)) {
    it(`${name} is rejected`, async () => {
      await using signin = await createTestSignin();
      signin.idp.claims = { sub };
      const response = await openCallback(signin, await beginFlow(signin));
      assert.equal(await refusalOf(response), "403 identity_rejected");
      assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
    });
  }

  it("any other text is a subject", async () => {
    await using signin = await createTestSignin();
    for (const [at, sub] of ["v\ufffdx", " v x ", "ä|😀", "auth0|5f"].entries()) {
      signin.idp.claims = { sub, email: `p${at}@example.test` };
      assert.equal((await openCallback(signin, await beginFlow(signin))).status, 302);
    }
    assert.equal((await signin.rows("SELECT 1 FROM users")).length, 4);
  });
});
