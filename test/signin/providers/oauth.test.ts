import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginFlow, openCallback, refusalOf, signIn } from "../../support/signin/flows.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";

type Answer = (request: Request) => Response | Promise<Response>;

async function attempt(signin: TestSignin, part: string, answer: Answer): Promise<Response> {
  const flow = await beginFlow(signin, "github");
  signin.idp.intercept = (request) =>
    new URL(request.url).pathname === part ? answer(request) : undefined;
  const response = await openCallback(signin, flow);
  signin.idp.intercept = undefined;
  return response;
}

const TOKEN = "/login/oauth/access_token";
const USER = "/api/user";
const EMAILS = "/api/user/emails";

describe("the OAuth 2.0 provider", () => {
  it("signs in by its number, not by its name, and shows the person's name and picture", async () => {
    await using signin = await createTestSignin();
    const { user } = await signIn(signin, { provider: "github", subject: "77" });
    const [identity] = await signin.rows("SELECT subject FROM identities");
    assert.equal(identity?.subject, "77");
    assert.deepEqual(user, {
      id: user.id,
      email: "ada@example.test",
      display_name: "Ada Person",
      avatar_url: "https://avatars.example.test/77",
      connected_providers: ["github"],
    });
  });

  it("is not believed about the public address of a profile", async () => {
    await using signin = await createTestSignin();
    const response = await attempt(signin, EMAILS, () => Response.json([]));
    assert.equal(await refusalOf(response), "403 email_unverified");
    assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
  });

  it("is asked with secret and verifier in the body, for JSON, by a named client", async () => {
    await using signin = await createTestSignin();
    const seen: string[] = [];
    const flow = await beginFlow(signin, "github");
    signin.idp.intercept = async (request) => {
      assert.match(request.headers.get("user-agent") ?? "", /roundhouse/);
      assert.equal(request.headers.get("accept"), "application/json");
      if (request.method === "POST") seen.push(await request.text());
      return undefined;
    };
    assert.equal((await openCallback(signin, flow)).status, 302);
    assert.match(seen[0] ?? "", /client_secret=oauth-secret-canary-2b7c/);
    assert.match(seen[0] ?? "", /code_verifier=[\w-]{43}/);
  });

  it("may have the primary address on a later page", async () => {
    await using signin = await createTestSignin();
    const pages = [
      [{ email: "first@example.test", verified: true }],
      [{ email: "second@example.test", verified: false }],
      [{ email: "third@example.test", verified: true, primary: true }],
    ];
    const asked: string[] = [];
    const response = await attempt(signin, EMAILS, (request) => {
      const page = Number(new URL(request.url).searchParams.get("page"));
      asked.push(new URL(request.url).origin);
      const link = `<https://evil.example.test/user/emails?page=${page + 1}>; rel="next"`;
      return Response.json(pages[page - 1], { headers: page < 3 ? { link } : {} });
    });
    assert.equal(response.status, 302);
    const [user] = await signin.rows("SELECT email FROM users");
    assert.equal(user?.email, "third@example.test");
    assert.deepEqual(new Set(asked), new Set(["https://hub.example.test"]));
    assert.equal(asked.length, 3);
  });

  it("cannot keep the server reading pages for ever", async () => {
    await using signin = await createTestSignin();
    let pages = 0;
    const response = await attempt(signin, EMAILS, () => {
      pages += 1;
      return Response.json([], { headers: { link: '<https://x.test>; rel="next"' } });
    });
    assert.equal(await refusalOf(response), "403 email_unverified");
    assert.equal(pages, 5);
  });

  const refusals: [name: string, part: string, answer: Answer, refusal: string][] = [
    [
      "200 with a bad code",
      TOKEN,
      () => Response.json({ error: "bad_verification_code" }),
      "403 identity_rejected",
    ],
    [
      "200 with bad credentials",
      TOKEN,
      () => Response.json({ error: "incorrect_client_credentials" }),
      "502 provider_error",
    ],
    [
      "200 with another redirect",
      TOKEN,
      () => Response.json({ error: "redirect_uri_mismatch" }),
      "502 provider_error",
    ],
    [
      "200 with an error in form encoding",
      TOKEN,
      () => formOf("error=bad_verification_code"),
      "403 identity_rejected",
    ],
    ["no token", TOKEN, () => Response.json({ token_type: "bearer" }), "403 identity_rejected"],
    [
      "an empty token",
      TOKEN,
      () => Response.json({ access_token: "", token_type: "bearer" }),
      "403 identity_rejected",
    ],
    ["no JSON for a token", TOKEN, () => new Response("<html>"), "502 provider_error"],
    [
      "a redirect for a token",
      TOKEN,
      () => new Response(null, { status: 302, headers: { location: "/x" } }),
      "502 provider_error",
    ],
    [
      "an error for a token",
      TOKEN,
      () => new Response("oops", { status: 500 }),
      "502 provider_error",
    ],
    ["no person", USER, () => Response.json({}), "403 identity_rejected"],
    [
      "a person whose id is a text",
      USER,
      () => Response.json({ id: "77" }),
      "403 identity_rejected",
    ],
    ["a person whose id is zero", USER, () => Response.json({ id: 0 }), "403 identity_rejected"],
    [
      "a person whose id is a fraction",
      USER,
      () => Response.json({ id: 1.5 }),
      "403 identity_rejected",
    ],
    ["null for a person", USER, () => Response.json(null), "403 identity_rejected"],
    ["no JSON for a person", USER, () => new Response("<html>"), "502 provider_error"],
    [
      "an error for a person",
      USER,
      () => new Response("{}", { status: 401 }),
      "502 provider_error",
    ],
    [
      "a redirect for a person",
      USER,
      () => new Response(null, { status: 301, headers: { location: "/x" } }),
      "502 provider_error",
    ],
    [
      "no scope for addresses",
      EMAILS,
      () => Response.json({ message: "Not Found" }, { status: 404 }),
      "403 email_unverified",
    ],
    [
      "a refusal of addresses",
      EMAILS,
      () => Response.json({}, { status: 403 }),
      "403 email_unverified",
    ],
    [
      "an object for addresses",
      EMAILS,
      () => Response.json({ email: "a@b.test", verified: true }),
      "502 provider_error",
    ],
    [
      "addresses that are not verified",
      EMAILS,
      () => Response.json([{ email: "a@b.test", primary: true, verified: false }]),
      "403 email_unverified",
    ],
    [
      "addresses with a text for verified",
      EMAILS,
      () => Response.json([{ email: "a@b.test", primary: true, verified: "true" }]),
      "403 email_unverified",
    ],
    [
      "a malformed address",
      EMAILS,
      () => Response.json([{ email: "a@b", primary: true, verified: true }]),
      "403 email_unverified",
    ],
    [
      "too many addresses",
      EMAILS,
      () => Response.json([{ filler: "x".repeat(300_000) }]),
      "502 provider_error",
    ],
    [
      "no answer",
      EMAILS,
      () => Promise.reject(new TypeError("canary")),
      "502 provider_unavailable",
    ],
  ];
  for (const [name, part, answer, refusal] of refusals) {
    it(`that answers ${name} starts no session`, async () => {
      await using signin = await createTestSignin();
      assert.equal(await refusalOf(await attempt(signin, part, answer)), refusal);
      assert.deepEqual(
        await signin.rows("SELECT 1 FROM users UNION ALL SELECT 1 FROM sessions"),
        [],
      );
      assert.doesNotMatch(signin.logged.join(), /canary|gho_/);
    });
  }

  for (const [iss, status] of [
    ["https://hub.example.test/login/oauth", 302],
    ["https://hub.example.test", 302],
    ["https://evil.example.test/login/oauth", 403],
    ["not an address", 403],
  ] as const) {
    it(`that calls itself ${iss} in the callback gives ${status}`, async () => {
      await using signin = await createTestSignin();
      const flow = await beginFlow(signin, "github");
      const callback = await signin.idp.authorize(flow.url);
      const named = `${callback}&iss=${encodeURIComponent(iss)}`;
      assert.equal((await signin.call("GET", named, { cookie: flow.cookie })).status, status);
    });
  }

  it("may answer its token in form encoding", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin, "github");
    signin.idp.intercept = async (request) => {
      if (new URL(request.url).pathname !== TOKEN) return undefined;
      signin.idp.intercept = undefined;
      const answer = await (await signin.idp.fetch(request)).json();
      return formOf(String(new URLSearchParams(answer)));
    };
    assert.equal((await openCallback(signin, flow)).status, 302);
  });

  it("finds the account after its person was renamed and moved to another address", async () => {
    await using signin = await createTestSignin();
    const before = await signIn(signin, { provider: "github", subject: "77" });
    const after = await signIn(signin, {
      provider: "github",
      subject: "77",
      name: "Renamed",
      emails: [{ email: "new@example.test", verified: true }],
    });
    assert.equal(after.user.id, before.user.id);
  });

  it("is never asked to keep a token: none is stored", async () => {
    await using signin = await createTestSignin();
    await signIn(signin, { provider: "github" });
    const tables = ["users", "identities", "sessions", "used_nonces", "audit_events"];
    for (const table of tables) {
      assert.doesNotMatch(JSON.stringify(await signin.rows(`SELECT * FROM ${table}`)), /gho_/);
    }
  });
});

function formOf(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/x-www-form-urlencoded" } });
}
