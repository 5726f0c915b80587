import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GithubEmail } from "../../support/signin/github.ts";
import type { SigninHarness } from "../../support/signin/harness.ts";
import { assertSafe } from "../../support/signin/refusals.ts";

const good = (email: string, more: Partial<GithubEmail> = {}): GithubEmail => ({
  email,
  verified: true,
  primary: false,
  ...more,
});

const REFUSED_EMAILS: [string, GithubEmail[]][] = [
  ["none", []],
  ["none that is verified", [good("a@example.test", { verified: false, primary: true })]],
  ['verified as the text "true"', [good("b@example.test", { verified: "true" })]],
  ["verified as 1", [good("c@example.test", { verified: 1 })]],
  ["verified left out", [{ email: "d@example.test", primary: true }]],
  ["one that is no address", [good("not-an-address", { primary: true })]],
  ["one with a line break", [good("e@example.test\nBcc: x@evil.example")]],
  ["one with two at signs", [good("e@evil.example@example.test")]],
  ["one that is an object", [good({ toString: "x" } as unknown as string)]],
  ["one of 300 characters", [good(`${"x".repeat(290)}@example.test`)]],
];

const REFUSED_PROFILES: [string, Record<string, unknown>][] = [
  ["no id", { id: undefined }],
  ["an id that is text", { id: "583231" }],
  ["an id that is 0", { id: 0 }],
  ["a negative id", { id: -1 }],
  ["a broken id", { id: 1.5 }],
  ["an id beyond what a number can hold", { id: 2 ** 60 }],
];

/** Family C: the plain OAuth 2.0 provider and its habits. */
export function githubTests(harness: () => SigninHarness): void {
  const attempt = async (w: SigninHarness) => {
    const agent = w.agent();
    const callback = await w.consent(await w.begin(agent, "github"));
    w.github.takeRequests();
    return agent.get(callback, { headers: { Accept: "application/json" } });
  };
  const signedInEmail = async (w: SigninHarness) => {
    const agent = w.agent();
    const answer = await w.signInByBrowser(agent, "github");
    assert.equal(answer.status, 302, answer.text);
    return (await w.refreshByCookie(agent)).user;
  };

  describe("C. the GitHub-like provider", () => {
    it("C1 asks for read:user and user:email, with PKCE, and keeps the secret out of every address", async () => {
      const w = harness();
      w.newGithubPerson();
      const agent = w.agent();
      const authorize = await w.begin(agent, "github");
      assert.equal(authorize.searchParams.get("scope"), "read:user user:email");
      assert.match(authorize.searchParams.get("code_challenge") ?? "", /^[A-Za-z0-9_-]{43}$/);
      const callback = await w.consent(authorize);
      w.github.takeRequests();
      assert.equal((await agent.get(callback)).status, 302);
      const requests = w.github.takeRequests();
      assert.deepEqual(requests.map(({ path }) => path).toSorted(), [
        "/login/oauth/access_token",
        "/user",
        "/user/emails",
      ]);
      for (const { path, query, headers } of requests) {
        assert.equal(query.toString().includes(w.github.clientSecret), false, path);
        assert.ok(headers.get("user-agent"), `${path} says who asks`);
      }
      const token = requests.find(({ path }) => path.endsWith("access_token"));
      assert.equal(new URLSearchParams(token?.body).get("client_secret"), w.github.clientSecret);
    });

    for (const [name, emails] of REFUSED_EMAILS) {
      it(`C2 refuses addresses: ${name}; the public profile address is never taken`, async () => {
        const w = harness();
        w.newGithubPerson(emails);
        const answer = await assertSafe(w, () => attempt(w), [403]);
        assert.equal(answer.json<{ code: string }>().code, "email_unverified");
      });
    }

    it("C3 prefers the primary verified address, and falls back to another verified one", async () => {
      const w = harness();
      const [one, two] = [`c${w.next()}@example.test`, `c${w.next()}@example.test`];
      w.newGithubPerson([good(one), good(two, { primary: true })]);
      assert.equal((await signedInEmail(w)).email, two);
      const [three, four] = [`c${w.next()}@example.test`, `c${w.next()}@example.test`];
      w.newGithubPerson([good(three, { primary: true, verified: false }), good(four)]);
      assert.equal((await signedInEmail(w)).email, four);
    });

    it("C4 finds the verified address on a later page", async () => {
      const w = harness();
      const email = `c${w.next()}@example.test`;
      const many = Array.from({ length: 120 }, (_, at) =>
        good(`unverified${at}@example.test`, { verified: false }),
      );
      w.newGithubPerson([...many, good(email, { primary: true })]);
      assert.equal((await signedInEmail(w)).email, email);
    });

    it("C5 gives up on pages without an end", async () => {
      const w = harness();
      w.newGithubPerson();
      let pages = 0;
      w.github.overrides["/user/emails"] = () => {
        pages += 1;
        const headers = { Link: `<${w.github.url}/user/emails?page=${pages + 1}>; rel="next"` };
        const page = Array.from({ length: 100 }, () => good("x@example.test", { verified: false }));
        return Response.json(page, { headers });
      };
      await assertSafe(w, () => attempt(w), [403, 502]);
      assert.equal(pages <= 10, true, `${pages} pages`);
      w.github.reset();
    });

    it("C6 a renamed login is the same person; another id with the old login is another one", async () => {
      const w = harness();
      w.newGithubPerson();
      const first = await signedInEmail(w);
      w.github.profile = { ...w.github.profile, login: "renamed", name: "Another Name" };
      assert.equal((await signedInEmail(w)).id, first.id);
      const login = w.github.profile.login;
      w.newGithubPerson();
      w.github.profile = { ...w.github.profile, login };
      assert.notEqual((await signedInEmail(w)).id, first.id);
    });

    for (const [name, profile] of REFUSED_PROFILES) {
      it(`C7 refuses a profile with ${name}`, async () => {
        const w = harness();
        w.newGithubPerson();
        w.github.profile = { ...w.github.profile, ...profile };
        await assertSafe(w, () => attempt(w), [403, 502]);
      });
    }

    const errors: [string, string, () => Response][] = [
      [
        "200 with an error",
        "/login/oauth/access_token",
        () => Response.json({ error: "bad_verification_code" }),
      ],
      [
        "a form that says error",
        "/login/oauth/access_token",
        () =>
          new Response("error=bad_verification_code", {
            headers: { "Content-Type": "application/x-www-form-urlencoded" },
          }),
      ],
      [
        "a token that is empty",
        "/login/oauth/access_token",
        () => Response.json({ access_token: "", token_type: "bearer" }),
      ],
      [
        "a token of another type",
        "/login/oauth/access_token",
        () => Response.json({ access_token: "x", token_type: "mac" }),
      ],
      [
        "a redirect",
        "/login/oauth/access_token",
        () => Response.redirect("https://evil.example/", 302),
      ],
      [
        "a page",
        "/login/oauth/access_token",
        () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
      ],
      ["a redirect", "/user", () => Response.redirect("https://evil.example/", 301)],
      [
        "a rate limit",
        "/user",
        () => Response.json({ message: "API rate limit exceeded" }, { status: 403 }),
      ],
      ["a list", "/user", () => Response.json([])],
      ["a 500", "/user/emails", () => new Response("oops", { status: 500 })],
      ["an object", "/user/emails", () => Response.json({ message: "hello" })],
      ["300 KiB", "/user/emails", () => Response.json([{ email: "x".repeat(300 * 1024) }])],
    ];
    for (const [name, path, response] of errors) {
      it(`C8 refuses ${name} from ${path}, and asks nothing more`, async () => {
        const w = harness();
        w.newGithubPerson();
        w.github.overrides[path] = response;
        await assertSafe(w, () => attempt(w), [403, 502]);
        const later = w.github.takeRequests().map((request) => request.path);
        if (path.endsWith("access_token")) assert.deepEqual(later, [path]);
        w.github.reset();
      });
    }

    it("C9 without the user:email scope no account is created", async () => {
      const w = harness();
      w.newGithubPerson();
      w.github.scopes = ["read:user"];
      await assertSafe(w, () => attempt(w), [403, 502]);
    });

    it("C10 a token type in another case is accepted", async () => {
      const w = harness();
      w.newGithubPerson();
      assert.ok(await signedInEmail(w));
    });
  });
}
