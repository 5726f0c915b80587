import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  beginFlow,
  createPkce,
  nativeQuery,
  openCallback,
  refusalOf,
} from "../../support/signin/flows.ts";
import { OAUTH } from "../../support/signin/identity-provider.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";

const WORDS = "unsupported prompt value requested";

/** The answer of a callback that the provider sends with an error. */
async function refusedCallback(signin: TestSignin, error: Record<string, string>) {
  const flow = await beginFlow(signin);
  const query = new URLSearchParams({
    ...error,
    state: new URL(flow.url).searchParams.get("state") ?? "",
  });
  return signin.call("GET", `/auth/google/callback?${query}`, {
    cookie: flow.cookie,
    headers: { accept: "text/html" },
  });
}

describe("the provider's own words about a refusal reach the log and never the page", () => {
  it("from the callback", async () => {
    await using signin = await createTestSignin();
    const error = { error: "invalid_request", error_description: WORDS };
    const response = await refusedCallback(signin, error);
    assert.equal(response.status, 502);
    const page = await response.text();
    assert.doesNotMatch(page, /unsupported|invalid_request/);
    assert.match(signin.logged.join("\n"), /invalid_request.*unsupported prompt value requested/);
  });

  it("from a cancelled sign-in", async () => {
    await using signin = await createTestSignin();
    const error = { error: "access_denied", error_description: "AADSTS65004: declined" };
    assert.equal((await refusedCallback(signin, error)).status, 403);
    assert.match(signin.logged.join("\n"), /AADSTS65004: declined/);
  });

  it("from the token endpoint, and in a native sign-in", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.endsWith("/token")
        ? Response.json({ error: "invalid_client", error_description: WORDS }, { status: 401 })
        : undefined;
    const { challenge } = await createPkce();
    const begun = await signin.call("GET", `/auth/google/login${nativeQuery(challenge)}`);
    const { url } = await begun.json();
    const response = await openCallback(signin, { url, cookie: "" });
    assert.doesNotMatch(response.headers.get("location") ?? "", /unsupported/);
    assert.match(signin.logged.join("\n"), /invalid_client.*unsupported prompt value requested/);
  });

  it("from UserInfo", async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = { email: undefined, email_verified: undefined };
    const challenge = `Bearer error="insufficient_scope", error_description="${WORDS}"`;
    signin.idp.intercept = (request) =>
      request.url.includes("userinfo")
        ? new Response(null, { status: 403, headers: { "www-authenticate": challenge } })
        : undefined;
    const response = await openCallback(signin, await beginFlow(signin));
    assert.equal(response.status, 502);
    assert.match(signin.logged.join("\n"), /insufficient_scope.*unsupported prompt/);
  });

  it("from the OAuth provider, whose refusal has status 200", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url === `${OAUTH}/login/oauth/access_token`
        ? Response.json({ error: "redirect_uri_mismatch", error_description: WORDS })
        : undefined;
    const response = await openCallback(signin, await beginFlow(signin, "github"));
    assert.equal(await refusalOf(response), "502 provider_error");
    assert.match(signin.logged.join("\n"), /redirect_uri_mismatch.*unsupported prompt/);
  });

  it("cut to 200 characters, without control characters, and without what this server had sent", async () => {
    await using signin = await createTestSignin();
    const sent: string[] = [];
    signin.idp.intercept = async (request) => {
      if (!request.url.endsWith("/token")) return undefined;
      const form = new URLSearchParams(await request.text());
      const [, pair = ""] = (request.headers.get("authorization") ?? "").split(" ");
      sent.push(pair, atob(pair).split(":")[1] ?? "");
      sent.push(form.get("code") ?? "", form.get("code_verifier") ?? "");
      const description = `line\r\n\u0000\u202e\u2028 ${sent.join(" ")} ${"long ".repeat(100)}`;
      return Response.json(
        { error: "server_error", error_description: description },
        { status: 400 },
      );
    };
    const response = await openCallback(signin, await beginFlow(signin));
    assert.equal(await refusalOf(response), "502 provider_error");
    const log = signin.logged.join("\n");
    assert.match(log, /server_error.*line/);
    assert.equal(sent.length, 4);
    for (const secret of sent) assert.equal(log.includes(secret), false, secret);
    const reason: string = JSON.parse(signin.logged.at(-1) ?? "").fields.reason;
    assert.doesNotMatch(reason, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    assert.ok(reason.slice(reason.indexOf("line")).length <= 200, reason);
  });
});
