import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { newVerifier, SigninHarness } from "../../support/signin/harness.ts";
import { assertOidcAccepted, assertSafe } from "../../support/signin/refusals.ts";
import {
  inProcessRuntime,
  nodeRuntime,
  type SigninRuntime,
} from "../../support/signin/runtimes.ts";
import { assertRefused } from "../../support/signin/user-agent.ts";
import { until } from "../../support/time.ts";

/** Family H: what real providers do, and what changes at them. */
export function providerTests(harness: () => SigninHarness, runtime: SigninRuntime): void {
  describe("H. real providers and their changes", () => {
    it("H4 a status that HTTP does not have is 502, from each kind of provider", async () => {
      const w = harness();
      const odd = () => Object.defineProperty(new Response("odd"), "status", { value: 999 });
      w.newOidcPerson();
      using _ = w.oidc.use({ tokenAnswer: odd });
      const headers = { Accept: "application/json" };
      const agent = w.agent();
      const callback = await w.consent(await w.begin(agent, "google"));
      await assertSafe(w, () => agent.get(callback, { headers }), [502]);
      w.newGithubPerson();
      w.github.overrides = { "/user": odd };
      const github = await w.consent(await w.begin(agent, "github"));
      await assertSafe(w, () => agent.get(github, { headers }), [502]);
      w.github.reset();
    });

    it("H9 many that begin and end at once ask for the metadata once and for the keys once", async () => {
      await using w = await SigninHarness.open(runtime);
      const agents = Array.from({ length: 10 }, () => w.agent());
      const release = Promise.withResolvers<void>();
      w.oidc.discovery = async (document) => {
        await release.promise;
        return document;
      };
      w.oidc.jwks = w.oidc.discovery;
      const starts = Promise.all(agents.map((agent) => w.begin(agent, "google")));
      await w.agent().get("/health");
      release.resolve();
      const callbacks = await Promise.all((await starts).map((url) => w.consent(url)));
      const answers = await Promise.all(
        callbacks.map((callback, at) => agents[at]?.get(callback) ?? Promise.reject(at)),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [302]);
      const paths = w.oidc.takeRequests().map(({ path }) => path);
      assert.equal(paths.filter((path) => path.includes("well-known")).length, 1);
      assert.equal(paths.filter((path) => path === "/jwks").length, 1);
    });

    // What follows differs by what providers say, and not by where the server runs.
    if (runtime.name === "workers") return;

    it("H1 prompt=select_account is sent on linking and native sign-ins where the metadata list it", async () => {
      await using listing = await SigninHarness.open(runtime, {});
      listing.oidc.discovery = (document) => ({
        ...document,
        prompt_values_supported: ["none", "select_account"],
      });
      assert.deepEqual(await promptsOf(listing), [null, "select_account", "select_account"]);
      assert.deepEqual(await promptsOf(harness()), [null, null, null], "without a list");
    });

    it("H2 the token endpoint gets the secret in the form where the metadata list no basic, or as configured", async () => {
      for (const method of ["post", undefined]) {
        const variables: Record<string, string> =
          method === undefined ? {} : { OIDC_PROVIDER_TOKEN_AUTH: method };
        await using w = await SigninHarness.open(runtime, variables);
        w.oidc.tokenAuth = "post";
        if (method === undefined) {
          w.oidc.discovery = (document) => ({
            ...document,
            token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt"],
          });
        }
        w.newOidcPerson();
        await assertOidcAccepted(w, {});
      }
    });

    it("H3 the provider's words about a refusal are in the log and not on the page", async () => {
      const w = harness();
      const words = `the prompt of case ${w.next()} is unsupported`;
      using _ = w.oidc.use({
        callback(query) {
          query.delete("code");
          query.set("error", "invalid_request");
          query.set("error_description", `${words}\r\n\u0007`);
        },
      });
      const agent = w.agent();
      const callback = await w.consent(await w.begin(agent, "google"));
      const answer = await agent.get(callback, { headers: { Accept: "text/html" } });
      assert.equal(answer.status, 502);
      assert.equal(answer.text.includes(words), false);
      await untilLine(w.signin, new RegExp(`invalid_request: ${words}"`));
    });

    it("H5 an address that the provider changed is followed, and both mailboxes get a mail", async () => {
      const w = harness();
      const first = await w.openBrowserSession(w.agent(), "google");
      const moved = `moved${w.next()}@example.test`;
      w.oidc.person = { ...w.oidc.person, email: moved };
      const agent = w.agent();
      assert.equal((await w.signInByBrowser(agent, "google")).status, 302);
      const again = await w.refreshByCookie(agent);
      assert.deepEqual([again.user.id, again.user.email], [first.user.id, moved]);
      await w.mailbox.until(({ to }) => to === first.user.email);
      // Beside the notice of a new device, in any order.
      await w.mailbox.until(({ to, text }) => to === moved && text.includes("uses it now"));
    });

    it("H6 identities of another issuer under the slug stop its sign-ins with 503, and others go on", async () => {
      await using w = await SigninHarness.open(nodeRuntime);
      const { user } = await w.signUp();
      await w.signin.sql(
        "INSERT INTO identities (provider, subject, user_id, linked_at, issuer) VALUES ('google', '1001', ?, 1, 'https://old.example')",
        [user.id],
      );
      for (const path of ["/auth/google/login", "/auth/google/callback?state=x&code=y"]) {
        assertRefused(await w.agent().get(path), 503, "issuer_changed");
      }
      await untilLine(w.signin, /1 identity of .*OIDC_PROVIDER_ISSUER_CHANGED=accept/);
      await w.openBrowserSession(w.agent(), "github");
    });

    it("H7 identities from before issuers were kept are taken over by the first one", async () => {
      await using w = await SigninHarness.open(runtime);
      const { user } = await w.signUp();
      w.newOidcPerson({ sub: "from-before" });
      await w.signin.sql(
        "INSERT INTO identities (provider, subject, user_id, linked_at) VALUES ('google', 'from-before', ?, 1)",
        [user.id],
      );
      const agent = w.agent();
      assert.equal((await w.signInByBrowser(agent, "google")).status, 302);
      assert.equal((await w.refreshByCookie(agent)).user.id, user.id);
      assert.equal(await w.count("identities", "issuer = ?", [w.oidc.url]), 1);
    });

    it(
      "H8 a start with another issuer is refused with the count, and OIDC_PROVIDER_ISSUER_CHANGED=accept lets it begin",
      startWithAnotherIssuer,
    );
  });
}

/** Waits for a line of the log, which may come after the response. */
async function untilLine(signin: SigninHarness["signin"], line: RegExp): Promise<void> {
  await until(`The line ${line}`, () => line.test(signin.output()));
}

/** The prompts of a browser sign-in, a link and a native sign-in. */
async function promptsOf(w: SigninHarness): Promise<(string | null)[]> {
  const agent = w.agent();
  const browser = await w.begin(agent, "google");
  const { access_token: bearer } = await w.signUp();
  const link = await agent.get("/auth/google/login?mode=link", { bearer });
  const native = await w.beginNative(agent, "google", { verifier: newVerifier() });
  const addresses = [browser.href, link.json<{ url: string }>().url, native.url];
  return addresses.map((address) => new URL(address).searchParams.get("prompt"));
}

async function startWithAnotherIssuer(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-issuer-"));
  const variables = {
    SIGNIN_DATA_DIR: folder,
    OIDC_PROVIDER_CLIENT_ID: "client",
    OIDC_PROVIDER_CLIENT_SECRET: "the-secret-of-the-client",
  };
  const old = { ...variables, OIDC_PROVIDER_ISSUER: "https://old.example" };
  const other = { ...variables, OIDC_PROVIDER_ISSUER: "https://new.example" };
  {
    await using signin = await inProcessRuntime.boot(old);
    await signin.sql(
      `INSERT INTO users (id, email, email_norm, created_at, updated_at)
       VALUES ('u1', 'a@x.example', 'a@x.example', 1, 1), ('u2', 'b@x.example', 'b@x.example', 1, 1)`,
    );
    await signin.sql(
      `INSERT INTO identities (provider, subject, user_id, linked_at, issuer)
       VALUES ('google', '1', 'u1', 1, 'https://old.example'), ('google', '2', 'u2', 1, 'https://old.example')`,
    );
  }
  const refusal = await inProcessRuntime.refusal(other);
  assert.match(refusal, /OIDC_PROVIDER_ISSUER: 2 identities of "google" came from https:\/\/old/);
  assert.doesNotMatch(refusal, /\n\s+at /, "one sentence, no stack");
  {
    const accepted = { ...other, OIDC_PROVIDER_ISSUER_CHANGED: "accept" };
    await using signin = await nodeRuntime.boot(accepted);
    await untilLine(signin, /taken over/);
    const rows = await signin.sql("SELECT DISTINCT issuer FROM identities");
    assert.deepEqual(
      rows.map(({ issuer }) => issuer),
      ["https://new.example"],
    );
  }
  await (await inProcessRuntime.boot(other))[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}
