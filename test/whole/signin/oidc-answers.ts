import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Hostility } from "../../support/signin/adversarial-provider.ts";
import { SigninHarness } from "../../support/signin/harness.ts";
import {
  assertOidcAccepted,
  assertOidcRefused,
  assertSafe,
} from "../../support/signin/refusals.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { machineTimeSec } from "../../support/time.ts";

const claims = (more: Record<string, unknown>): Hostility => ({
  claims: (honest) => ({ ...honest, ...more }),
});
const HUGE = 300 * 1024;

/** Claims that the libraries let pass, or that this server decides. */
const REFUSED_CLAIMS: [string, () => Hostility][] = [
  ["azp of another client", () => claims({ azp: "another" })],
  ["an audience that is a number", () => claims({ aud: 7 })],
  ["an empty audience list", () => claims({ aud: [] })],
  ["iat in the future", () => claims({ iat: machineTimeSec() + 120 })],
  ["iat more than ten minutes old", () => claims({ iat: machineTimeSec() - 660 })],
  ["an expiry years away", () => claims({ exp: machineTimeSec() + 3 * 365 * 86_400 })],
  ["exp before iat", () => claims({ iat: machineTimeSec(), exp: machineTimeSec() - 1000 })],
  ["exp as text", () => claims({ exp: "2099-01-01" })],
  ["an empty subject", () => claims({ sub: "" })],
  ["a subject that is a number", () => claims({ sub: 42 })],
  ["a subject of 256 characters", () => claims({ sub: "s".repeat(256) })],
  ["a subject with a lone surrogate", () => claims({ sub: "v\ud800x" })],
  ["a subject with U+0000", () => claims({ sub: "v\u0000x" })],
  ["nbf in the future", () => claims({ nbf: machineTimeSec() + 600 })],
  ["an address that is not verified", () => claims({ email_verified: false })],
  ['email_verified as the text "TRUE"', () => claims({ email_verified: "TRUE" })],
  ["email_verified as 1", () => claims({ email_verified: 1 })],
  ["an address that is none", () => claims({ email: "not-an-address" })],
  [
    "an address with a line break",
    () => claims({ email: "a@example.test\r\nBcc: x@evil.example" }),
  ],
  ["an address that is a list", () => claims({ email: ["a@example.test"] })],
];

type TokenKnob = (body: Record<string, unknown>) => unknown;
const text = (status: number, body: string, type: string, more = {}) =>
  new Response(body, { status, headers: { "Content-Type": type, ...more } });

const REFUSED_ANSWERS: [string, TokenKnob][] = [
  ["a redirect elsewhere", () => text(302, "", "text/html", { Location: "https://evil.example/" })],
  ["a redirect that repeats the POST", () => text(307, "", "text/html", { Location: "/token" })],
  ["a page of HTML", () => text(200, "<html>hello</html>", "text/html")],
  ["nothing", () => new Response(null, { status: 204 })],
  ["a 500", () => text(500, "oops", "text/plain")],
  ["an OAuth error", () => Response.json({ error: "invalid_grant" }, { status: 400 })],
  ["an OAuth error with 200", () => Response.json({ error: "invalid_grant" })],
  ["a JSON list", () => Response.json([1])],
  ["broken JSON", () => text(200, "{", "application/json")],
  ["300 KiB", (body) => ({ ...body, padding: "x".repeat(HUGE) })],
  ["no ID token", ({ id_token: _, ...body }) => body],
  ["an ID token that is an object", (body) => ({ ...body, id_token: {} })],
  ["an encrypted-looking ID token", (body) => ({ ...body, id_token: "a.b.c.d.e" })],
  ["no access token", ({ access_token: _, ...body }) => body],
  ["another token type", (body) => ({ ...body, token_type: "mac" })],
];

const REFUSED_DISCOVERY: [string, (document: Record<string, unknown>) => unknown][] = [
  ["a redirect", () => text(302, "", "text/html", { Location: "https://evil.example/" })],
  ["a page", () => text(200, "<html>", "text/html")],
  ["too large", () => text(200, `{"issuer":"${"x".repeat(HUGE)}"}`, "application/json")],
  ["a script", (document) => ({ ...document, authorization_endpoint: "javascript:alert(1)" })],
  ["without a page", ({ authorization_endpoint: _, ...document }) => document],
  ["an error", () => text(500, "", "text/plain")],
];

const REFUSED_KEYS: [string, () => unknown][] = [
  ["a redirect", () => text(302, "", "text/html", { Location: "https://evil.example/" })],
  ["a page", () => text(200, "<html>", "text/html")],
  ["no list", () => ({ keys: "none" })],
  ["an empty list", () => ({ keys: [] })],
];

/** Family B: ID tokens and provider answers. */
export function oidcAnswerTests(harness: () => SigninHarness, runtime: SigninRuntime): void {
  describe("B. what an OpenID provider may answer", () => {
    for (const [name, hostility] of REFUSED_CLAIMS) {
      it(`B1 refuses ${name}`, async () => {
        harness().newOidcPerson();
        await assertOidcRefused(harness(), hostility());
      });
    }

    for (const [name, tokenAnswer] of REFUSED_ANSWERS) {
      it(`B2 refuses, from the token endpoint, ${name}`, async () => {
        harness().newOidcPerson();
        const answer = await assertOidcRefused(harness(), { tokenAnswer });
        assert.equal(answer.text.includes("hello"), false, "nothing of it is shown");
      });
    }

    it("B3 accepts what the standards let a provider do", async () => {
      const w = harness();
      const accepted: Hostility[] = [
        claims({ azp: w.oidc.clientId }),
        claims({ amr: ["pwd"], acr: "0", hd: "example.test" }),
        claims({ iat: machineTimeSec() + 30 }),
        claims({ name: undefined }),
        claims({ email_verified: "true" }),
        { header: { typ: "JWT" } },
        { tokenAnswer: (body) => ({ ...body, refresh_token: "ignored-refresh-token-canary" }) },
      ];
      for (const hostility of accepted) {
        w.newOidcPerson();
        await assertOidcAccepted(w, hostility);
      }
    });

    it("B4 refuses UserInfo that is a redirect, a page, or too large", async () => {
      const w = harness();
      const answers = [
        () => text(302, "", "text/html", { Location: "https://evil.example/" }),
        () => text(200, "<html>", "text/html"),
        () => Response.json({ padding: "x".repeat(HUGE) }),
        () => new Response(null, { status: 401 }),
      ];
      for (const userInfo of answers) {
        w.newOidcPerson();
        using _ = w.oidc.use({
          claims: ({ email: _email, email_verified: _verified, ...rest }) => rest,
          userInfo,
        });
        const agent = w.agent();
        const callback = await w.consent(await w.begin(agent, "google"));
        const headers = { Accept: "application/json" };
        await assertSafe(w, () => agent.get(callback, { headers }), [403, 502]);
      }
    });

    // One function fetches all documents of a provider: what it meets on Workers is in B2 and B4.
    if (runtime.name === "workers") return;

    // A server of its own for each: a failure is remembered.
    for (const [name, document] of REFUSED_DISCOVERY) {
      it(`B5 a discovery document that is ${name} begins nothing`, async () => {
        await using w = await SigninHarness.open(runtime);
        w.oidc.discovery = document;
        await assertSafe(w, () => w.agent().get("/auth/google/login"), [502]);
        w.oidc.takeRequests();
        await assertSafe(w, () => w.agent().get("/auth/google/login"), [502]);
        assert.deepEqual(w.oidc.takeRequests(), [], "the failure answers for ten seconds");
      });
    }

    for (const [name, document] of REFUSED_KEYS) {
      it(`B6 keys that are ${name} begin no session`, async () => {
        await using w = await SigninHarness.open(runtime);
        w.oidc.jwks = document;
        w.newOidcPerson();
        await assertOidcRefused(w, {});
      });
    }
  });
}
