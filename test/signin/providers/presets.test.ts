// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  assertSafe,
  beginFlow,
  createPkce,
  keptCookies,
  nativeQuery,
  openCallback,
  readPendingFacts,
  refusalOf,
  signIn,
} from "../../support/signin/flows.ts";
import { PLAYED_ENV, TENANT } from "../../support/signin/played-providers.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";
import { MAIL_ENV } from "../../support/signin/users.ts";

const MICROSOFT = "https://login.microsoftonline.com";
const PERSON = { subject: "80351110224678912", name: "Ada Lovelace" };

const create = (env: Record<string, string> = {}) =>
  createTestSignin({ ...PLAYED_ENV, ...MAIL_ENV, ...env });

/** The identity as the account keeps it, linked to an account of Google's. */
async function link(signin: TestSignin, provider: string, person: object = PERSON) {
  const { accessToken: bearer } = await signIn(signin, { subject: "1" });
  const flow = await beginFlow(signin, provider, { bearer });
  const response = await openCallback(signin, flow, person);
  assert.equal(response.status, 302, await response.clone().text());
  return signin.rows(`SELECT subject, issuer, email_at_link AS email FROM identities
    WHERE provider = '${provider}'`);
}

describe("each provider", () => {
  const email = null;
  const verified = "ada@example.test";
  for (const [slug, identity] of Object.entries({
    google: { subject: PERSON.subject, issuer: "https://accounts.google.com", email: verified },
    microsoft: {
      subject: `${TENANT}.${PERSON.subject}`,
      issuer: `${MICROSOFT}/{tenantid}/v2.0`,
      email,
    },
    apple: { subject: PERSON.subject, issuer: "https://appleid.apple.com", email: verified },
    github: { subject: PERSON.subject, issuer: "https://api.github.com", email },
    gitlab: { subject: PERSON.subject, issuer: "https://gitlab.com", email },
    discord: { subject: PERSON.subject, issuer: "https://discord.com", email },
    acme: { subject: PERSON.subject, issuer: "https://acme.example.test", email },
    plain: { subject: PERSON.subject, issuer: "https://plain.example.test", email },
  })) {
    it(`${slug}: links, then signs in to the same account, by browser and natively`, async () => {
      await using signin = await create();
      // The number of a user of GitHub is one that JSON can hold.
      const person = { ...PERSON, subject: slug === "discord" ? PERSON.subject : "1001" };
      if (slug === "google") {
        await signIn(signin, { ...person, provider: slug });
        const stored = "SELECT subject, issuer, email_at_link AS email FROM identities";
        assert.deepEqual(await signin.rows(stored), [{ ...identity, subject: "1001" }]);
      } else {
        const subject = identity.subject.replace(PERSON.subject, person.subject);
        assert.deepEqual(await link(signin, slug, person), [{ ...identity, subject }]);
      }
      const again = await signIn(signin, { ...person, provider: slug });
      const { challenge } = await createPkce();
      const begun = await signin.call("GET", `/auth/${slug}/login${nativeQuery(challenge)}`);
      const native = await openCallback(signin, { ...(await begun.json()), cookie: "" }, person);
      const { searchParams } = new URL(native.headers.get("location") ?? "");
      assert.equal(searchParams.get("error"), null);
      assert.ok(searchParams.get("code"));
      assert.deepEqual(await signin.rows("SELECT id FROM users"), [{ id: again.user.id }]);
    });
  }

  it("is listed with its label, also on the page, where the label is text", async () => {
    await using signin = await create();
    const { accessToken: bearer } = await signIn(signin);
    const answer = await (await signin.call("GET", "/auth/providers", { bearer })).json();
    const labels = answer.providers.map(({ label }: { label: string }) => label);
    const played = ["Google", "Microsoft", "Apple", "GitHub", "GitLab", "Discord"];
    const keys = ["OpenAI", "Anthropic", "Google Gemini"];
    assert.deepEqual(labels, [...played, "Acme & Sons", "Plain", ...keys]);
    const html = await (await signin.call("GET", "/")).text();
    const links = [...html.matchAll(/href="\/auth\/(\w+)\/login"/g)].map(([, slug]) => slug);
    assert.deepEqual(links, PLAYED_ENV.PROVIDERS?.split(","));
    assert.match(html, /Continue with Acme &amp; Sons/);
  });

  it("that is down costs the others nothing", async () => {
    await using signin = await create();
    signin.idp.intercept = ({ url }) => {
      if (url.includes("gitlab.com")) throw new TypeError("fetch failed");
      return undefined;
    };
    const down = await signin.call("GET", "/auth/gitlab/login");
    assert.equal(await refusalOf(down), "502 provider_unavailable");
    await signIn(signin, { provider: "google" });
    await signIn(signin, { provider: "apple", email: "bob@example.test" });
    assert.match((await beginFlow(signin, "acme")).url, /^https:\/\/acme\.example\.test\//);
  });

  it("finds no flow of another one, and leaves its cookie", async () => {
    await using signin = await create();
    const slugs = ["google", "apple", "acme", "plain"];
    for (const own of slugs) {
      const flow = await beginFlow(signin, own);
      const { search } = new URL(await signin.idp.authorize(flow.url));
      signin.idp.takeRequests();
      for (const other of slugs.filter((slug) => slug !== own)) {
        const path = `/auth/${other}/callback${search}`;
        const response = await signin.call("GET", path, { cookie: flow.cookie });
        assert.deepEqual(response.headers.getSetCookie(), []);
        await assertSafe(signin, response, "400 invalid_state");
      }
      const response = await signin.call("GET", `/auth/${own}/callback${search}`, {
        cookie: flow.cookie,
      });
      assert.equal(response.status, 302);
      await signin.rows("DELETE FROM users");
      await signin.rows("DELETE FROM sessions");
    }
  });

  it("that promises `iss` (RFC 9207) is refused without it, and with another's", async () => {
    await using signin = await create();
    for (const iss of [undefined, "https://plain.example.test", "https://acme.example.test/"]) {
      const flow = await beginFlow(signin, "acme");
      const callback = new URL(await signin.idp.authorize(flow.url));
      callback.searchParams.delete("iss");
      if (iss) callback.searchParams.set("iss", iss);
      signin.idp.takeRequests();
      const response = await signin.call("GET", callback.href, { cookie: flow.cookie });
      await assertSafe(signin, response, "403 identity_rejected");
    }
  });
});

describe("a profile", () => {
  const profileOf = async (provider: string, claims: Record<string, unknown> = {}) => {
    await using signin = await create();
    signin.idp.claims = claims;
    const response = await openCallback(signin, await beginFlow(signin, provider), {
      ...PERSON,
      subject: "1001",
    });
    if (response.status !== 302) return await refusalOf(response);
    const pending = await readPendingFacts(signin, keptCookies(response).join("; "));
    return pending.email || "no address";
  };

  for (const [provider, claims, outcome] of [
    ["gitlab", {}, "ada@example.test"],
    ["discord", { email: null }, "no address"],
    ["discord", { id: 7 }, "ada@example.test"],
    ["discord", { id: "" }, "403 identity_rejected"],
    ["plain", { sub: "s-1", id: undefined }, "ada@example.test"],
    ["plain", { id: null }, "403 identity_rejected"],
    ["plain", { id: {} }, "403 identity_rejected"],
    ["plain", { id: 1.5 }, "403 identity_rejected"],
    ["plain", { id: "a\u0000b" }, "403 identity_rejected"],
    ["plain", { email: "not an address" }, "no address"],
  ] as const) {
    it(`of ${provider} with ${JSON.stringify(claims)}: ${outcome}`, async () => {
      assert.equal(await profileOf(provider, claims), outcome);
    });
  }
});
