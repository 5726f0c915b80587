import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  challengeOf,
  LOOPBACK,
  newVerifier,
  type SigninHarness,
  type Tokens,
} from "../../support/signin/harness.ts";
import { assertRefused } from "../../support/signin/user-agent.ts";

const REDIRECTS_REFUSED = [
  "https://127.0.0.1:5000/cb",
  "http://127.0.0.1/cb",
  "http://127.0.0.1:/cb",
  "http://127.0.0.1:0/cb",
  "http://127.0.0.1:65536/cb",
  "http://127.0.0.1:080/cb",
  "http://127.0.0.1:5000/cb#fragment",
  "http://127.0.0.1:5000/cb#",
  "http://user@127.0.0.1:5000/cb",
  "http://user:pass@127.0.0.1:5000/cb",
  "http://@127.0.0.1:5000/cb",
  "http://127.0.0.1:5000@evil.example/cb",
  "http://evil.example:5000/cb",
  "http://127.0.0.1.evil.example:5000/cb",
  "http://localhost.evil.example:5000/cb",
  "http://127.0.0.2:5000/cb",
  "http://127.1:5000/cb",
  "http://2130706433:5000/cb",
  "http://0x7f000001:5000/cb",
  "http://0177.0.0.1:5000/cb",
  "http://127.0.0.1.:5000/cb",
  "http://localhost.:5000/cb",
  "http://LOCALHOST:5000/cb",
  "HTTP://127.0.0.1:5000/cb",
  "http://[::ffff:127.0.0.1]:5000/cb",
  "http://[0:0:0:0:0:0:0:1]:5000/cb",
  "http://[::1%25lo]:5000/cb",
  "http://::1:5000/cb",
  "http://[::]:5000/cb",
  "http://0.0.0.0:5000/cb",
  "http://１２７.0.0.1:5000/cb",
  "http://127。0。0。1:5000/cb",
  "http:/127.0.0.1:5000/cb",
  "http:127.0.0.1:5000/cb",
  "http:\\\\127.0.0.1:5000\\cb",
  "http://127.0.0.1:5000\\@evil.example/cb",
  "//127.0.0.1:5000/cb",
  "/cb",
  "javascript:alert(1)",
  "app://127.0.0.1:5000/cb",
  "file://127.0.0.1:5000/cb",
  " http://127.0.0.1:5000/cb",
  "http://127.0.0.1:5000/cb ",
  "http://127.0.0.1:5000/c b",
  "http://127.0.0.1:5000/cb\r\nSet-Cookie: x=y",
  "http://127.0.0.1:5000/cb\t",
  "http://127.0.0.1:5000/cb?code=stolen",
  "http://127.0.0.1:5000/cb?state=fixed",
  "http://127.0.0.1:5000/cb?a=1&error=x",
  `http://127.0.0.1:5000/${"x".repeat(1100)}`,
  "",
];
const REDIRECTS_ACCEPTED = [
  "http://127.0.0.1:5000",
  "http://127.0.0.1:5000/",
  "http://localhost:80/cb",
  "http://[::1]:65535/deep/path",
  "http://127.0.0.1:1/cb?app=x&v=%20",
];

/** Family E: native sign-in with PKCE. */
export function nativeTests(harness: () => SigninHarness): void {
  const login = (query: Record<string, string>) =>
    harness()
      .agent()
      .get(`/auth/google/login?${new URLSearchParams(query)}`);
  const good = () => ({
    native: "true",
    redirect_to: LOOPBACK,
    code_challenge: challengeOf(newVerifier()),
    code_challenge_method: "S256",
  });

  describe("E. native PKCE", () => {
    for (const redirectTo of REDIRECTS_REFUSED) {
      it(`E1 redirect_to is refused: ${JSON.stringify(redirectTo).slice(0, 60)}`, async () => {
        const answer = await login({ ...good(), redirect_to: redirectTo });
        assertRefused(answer, 400, "invalid_request");
        assert.equal(answer.text.includes("evil"), false, "the answer repeats nothing of it");
      });
    }

    it("E2 redirect_to is accepted on the three loopback hosts with a port, and kept to the letter", async () => {
      const w = harness();
      for (const redirectTo of REDIRECTS_ACCEPTED) {
        w.newOidcPerson();
        const verifier = newVerifier();
        const { url } = await w.beginNative(w.agent(), "google", { verifier, redirectTo });
        const landed = await w.agent().get(await w.consent(url));
        const raw = landed.headers.get("location") ?? "";
        const at = redirectTo.includes("?") ? `${redirectTo}&` : `${redirectTo}?`;
        assert.equal(raw.startsWith(at) || raw.startsWith(`${redirectTo}/?`), true, raw);
      }
    });

    const challenge = challengeOf("v".repeat(43));
    const broken: [string, Record<string, string>][] = [
      ["plain", { code_challenge_method: "plain" }],
      ["s256 in small letters", { code_challenge_method: "s256" }],
      ["no method", { code_challenge_method: "" }],
      ["42 characters", { code_challenge: challenge.slice(1) }],
      ["44 characters", { code_challenge: `${challenge}=` }],
      ["the wrong alphabet", { code_challenge: `${challenge.slice(1)}+` }],
      ["none", { code_challenge: "" }],
      // 43 characters whose last one carries bits that no SHA-256 has.
      ["not canonical", { code_challenge: `${challenge.slice(0, -1)}B` }],
    ];
    for (const [name, change] of broken) {
      it(`E3 a challenge is refused: ${name}`, async () => {
        assertRefused(await login({ ...good(), ...change }), 400, "invalid_request");
      });
    }

    it("E4 a verifier is 43 to 128 characters of RFC 7636, and a wrong one spends the code", async () => {
      const w = harness();
      const verifier = newVerifier();
      const { code } = await w.nativeCode(verifier);
      const malformed = [
        "v".repeat(42),
        "v".repeat(129),
        `${"v".repeat(42)}+`,
        `${"v".repeat(42)} `,
        "é".repeat(43),
      ];
      for (const bad of malformed) {
        const answer = await w.exchange(code, bad);
        assertRefused(answer, 400, ["invalid_request", "invalid_grant"]);
      }
      const fresh = await w.nativeCode(verifier);
      assertRefused(await w.exchange(fresh.code, newVerifier()), 400, "invalid_grant");
      assertRefused(await w.exchange(fresh.code, verifier), 400, "invalid_grant");
    });

    it("E5 verifiers of 43 and of 128 characters work", async () => {
      const w = harness();
      for (const verifier of ["-._~".padEnd(43, "aZ9"), "~".repeat(128)]) {
        const { code } = await w.nativeCode(verifier);
        assert.equal((await w.exchange(code, verifier)).status, 200);
      }
    });

    it("E6 a code is good once: its replay is refused and ends the session that it bought", async () => {
      const w = harness();
      const verifier = newVerifier();
      const { code } = await w.nativeCode(verifier);
      const tokens = (await w.exchange(code, verifier)).json<Tokens>();
      assert.equal((await w.me(tokens.access_token)).status, 200);
      assertRefused(await w.exchange(code, verifier), 400, "invalid_grant");
      assertRefused(await w.me(tokens.access_token), 401);
      assertRefused(await w.refresh(tokens.refresh_token), 401);
    });

    it("E7 a code is good for sixty seconds", async () => {
      const w = harness();
      const verifier = newVerifier();
      for (const [ageSec, status] of [
        [55, 200],
        [61, 400],
      ] as const) {
        const { code } = await w.nativeCode(verifier);
        await w.signin.sql("UPDATE native_codes SET expires_at = expires_at - ?", [ageSec]);
        assert.equal((await w.exchange(code, verifier)).status, status, `${ageSec} s`);
      }
    });

    it("E8 things of another kind are no code, and a code is nothing else", async () => {
      const w = harness();
      const verifier = newVerifier();
      const { code } = await w.nativeCode(verifier);
      const { access_token, refresh_token } = await w.openNativeSession();
      for (const other of [access_token, refresh_token, "", "A".repeat(43), "A".repeat(5000)]) {
        assertRefused(await w.exchange(other, verifier), 400);
      }
      const bodies: unknown[] = [
        { code: [code], code_verifier: verifier },
        { code: { $ne: "" }, code_verifier: verifier },
        { code, code_verifier: 43 },
        { code, code_verifier: [verifier] },
        { code },
        { code_verifier: verifier },
        null,
        [],
        "code",
      ];
      for (const body of bodies) {
        assertRefused(await w.agent().post("/auth/native/token", body), 400, "invalid_request");
      }
      assertRefused(await w.me(code), 401);
      assertRefused(await w.refresh(code), 401);
      assert.equal((await w.exchange(code, verifier)).status, 200, "it was not spent by any of it");
    });

    it("E9 no token is ever in a URL: not in what the app gets, and not accepted in a query", async () => {
      const w = harness();
      const { back } = await w.nativeCode(newVerifier());
      assert.doesNotMatch(back.href, /eyJhbG|rt1\.|token/);
      const { access_token } = await w.openNativeSession();
      for (const name of ["access_token", "token", "authorization"]) {
        assertRefused(await w.agent().get(`/auth/me?${name}=${access_token}`), 401);
      }
      assertRefused(await w.agent().get("/auth/native/token?code=x&code_verifier=y"), 405);
    });

    it("E10 the app's state comes back, and each flow has its own", async () => {
      const w = harness();
      const states = new Set<string>();
      for (let flow = 0; flow < 3; flow += 1) {
        const { state, url } = await w.beginNative(w.agent(), "google", {
          verifier: newVerifier(),
        });
        assert.match(state, /^v1\.[\w-]+\.[\w-]+\.[\w-]+$/);
        assert.equal(new URL(url).searchParams.get("state"), state);
        states.add(state);
      }
      assert.equal(states.size, 3);
    });
  });
}
