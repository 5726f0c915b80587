import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSignin } from "../../../signin/app.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import { beginFlow, link, openCallback, refusalOf, signIn } from "../../support/signin/flows.ts";
import { createTestSignin, TEST_ENV, type TestSignin } from "../../support/signin/signin.ts";

const issuers = (signin: TestSignin) =>
  signin.rows("SELECT provider, issuer FROM identities ORDER BY provider");
const ISSUER = "https://op.example.test";
const API = "https://hub.example.test";

/** The same database under another configuration, as after a restart. */
function restart(signin: TestSignin, env: Record<string, string> = {}): TestSignin {
  const deps = { ...signin.deps, config: parseConfig({ ...TEST_ENV, ...env }) };
  const app = createSignin(deps);
  return {
    ...signin,
    deps,
    signin: app,
    call: (method, path, { bearer, cookie } = {}) => {
      const headers = new Headers();
      if (bearer) headers.set("authorization", `Bearer ${bearer}`);
      if (cookie) headers.set("cookie", cookie);
      return app.fetch(new Request(new URL(path, deps.config.baseUrl), { method, headers }));
    },
  };
}

describe("an identity keeps its issuer", () => {
  it("of its first sign-in and of a link: the issuer, or the origin of the OAuth provider's API", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    assert.equal((await link(signin, accessToken)).status, 302);
    assert.deepEqual(await issuers(signin), [
      { provider: "github", issuer: API },
      { provider: "google", issuer: ISSUER },
    ]);
  });

  it("and one from before is taken over by the first issuer that is used", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    await signin.rows("UPDATE identities SET issuer = NULL RETURNING 1");
    const later = restart(signin);
    assert.equal((await later.call("GET", "/auth/google/login")).status, 302);
    assert.deepEqual(await issuers(signin), [{ provider: "google", issuer: ISSUER }]);
    assert.equal((await openCallback(later, await beginFlow(later))).status, 302);
    assert.equal((await signin.rows("SELECT 1 FROM users")).length, 1);
  });

  it("and its subject of another issuer is rejected, even where the start did not see it", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    await signIn(signin);
    await signin.rows("UPDATE identities SET issuer = 'https://other.example.test' RETURNING 1");
    assert.equal(await refusalOf(await openCallback(signin, flow)), "403 identity_rejected");
    const github = await signIn(signin, { provider: "github", emails: EMAILS });
    const answer = await link(signin, github.accessToken, { provider: "google" });
    assert.equal(await refusalOf(answer), "409 identity_in_use");
  });
});

const EMAILS = [{ email: "other@example.test", primary: true, verified: true }];

describe("a changed issuer under the same slug", () => {
  const CHANGES = {
    google: { OIDC_PROVIDER_ISSUER: "https://new.example.test" },
    github: { OAUTH_PROVIDER_API_URL: "https://new.example.test/api" },
  };
  for (const [slug, change] of Object.entries(CHANGES)) {
    it(`${slug}: is 503 for its sign-ins alone, and the log says why`, async () => {
      await using signin = await createTestSignin();
      const flow = await beginFlow(signin, slug);
      await signIn(signin, { provider: slug });
      const later = restart(signin, change);
      const answer = await later.call("GET", `/auth/${slug}/login`);
      assert.equal(await refusalOf(answer), "503 issuer_changed");
      const callback = await openCallback(later, flow);
      assert.equal(await refusalOf(callback), "503 issuer_changed");
      assert.match(signin.logged.join("\n"), /1 identity of .*_PROVIDER_ISSUER_CHANGED=accept/);
      const other = slug === "google" ? "github" : "google";
      assert.equal((await later.call("GET", `/auth/${other}/login`)).status, 302);
      const [row] = await issuers(signin);
      assert.notEqual(row?.issuer, "https://new.example.test", "nothing was taken over");
      assert.equal((await restart(signin).call("GET", `/auth/${slug}/login`)).status, 302);
    });
  }

  it("leaves identities from before the column to the issuer that has some already", async () => {
    await using signin = await createTestSignin();
    const first = await signIn(signin);
    await signIn(signin, { subject: "1002", email: "second@example.test" });
    await signin.rows(
      `UPDATE identities SET issuer = NULL WHERE user_id = '${first.user.id}' RETURNING 1`,
    );
    const later = restart(signin, CHANGES.google);
    assert.equal((await later.call("GET", "/auth/google/login")).status, 503);
    assert.equal((await signin.rows("SELECT 1 FROM identities WHERE issuer IS NULL")).length, 1);
  });

  it("is taken over where the operator accepts it", async () => {
    await using signin = await createTestSignin();
    const { user } = await signIn(signin, { provider: "github" });
    const accepted = { ...CHANGES.github, OAUTH_PROVIDER_ISSUER_CHANGED: "accept" };
    const later = restart(signin, accepted);
    assert.equal((await later.call("GET", "/auth/github/login")).status, 302);
    assert.deepEqual(await issuers(signin), [
      { provider: "github", issuer: "https://new.example.test" },
    ]);
    assert.match(signin.logged.join("\n"), /taken over/);
    const rows = await signin.rows("SELECT user_id FROM identities");
    assert.equal(rows[0]?.user_id, user.id);
    const afterwards = restart(signin, CHANGES.github);
    assert.equal((await afterwards.call("GET", "/auth/github/login")).status, 302);
  });
});
