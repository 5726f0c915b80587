import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { unsignedToken } from "../../support/signin/adversarial-provider.ts";
import type { SigninHarness, Tokens } from "../../support/signin/harness.ts";
import { KEYS } from "../../support/signin/runtimes.ts";
import { assertRefused } from "../../support/signin/user-agent.ts";
import { machineTimeSec } from "../../support/time.ts";

type Json = Record<string, unknown>;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Json;

function forge(
  token: string,
  change: { header?: Json; claims?: Json; key?: string; hash?: string },
) {
  const [header, claims] = token.split(".");
  const signed = `${encode({ ...decode(header), ...change.header })}.${encode({ ...decode(claims), ...change.claims })}`;
  const mac = createHmac(change.hash ?? "sha256", change.key ?? KEYS.JWT_SECRET_KEY).update(signed);
  return `${signed}.${mac.digest("base64url")}`;
}

/** Family F: tokens and sessions. */
export function tokenTests(harness: () => SigninHarness): void {
  const forgeries: [string, (token: string) => string][] = [
    ["another key", (token) => forge(token, { key: "x".repeat(64) })],
    ["alg none", (token) => unsignedToken(decode(token.split(".")[1]))],
    ["HS512", (token) => forge(token, { header: { alg: "HS512" }, hash: "sha512" })],
    ["alg RS256 with the HMAC", (token) => forge(token, { header: { alg: "RS256" } })],
    ["typ JWT", (token) => forge(token, { header: { typ: "JWT" } })],
    ["no typ", (token) => forge(token, { header: { typ: undefined } })],
    ["an unknown critical header", (token) => forge(token, { header: { crit: ["x"], x: 1 } })],
    ["another issuer", (token) => forge(token, { claims: { iss: "https://evil.example" } })],
    ["another audience", (token) => forge(token, { claims: { aud: "engine" } })],
    ["no audience", (token) => forge(token, { claims: { aud: undefined } })],
    ["expired", (token) => forge(token, { claims: { exp: machineTimeSec() - 31 } })],
    ["no expiry", (token) => forge(token, { claims: { exp: undefined } })],
    ["no session", (token) => forge(token, { claims: { sid: undefined } })],
    ["a session that does not exist", (token) => forge(token, { claims: { sid: "A".repeat(22) } })],
    ["another user", (token) => forge(token, { claims: { sub: crypto.randomUUID() } })],
    ["no user", (token) => forge(token, { claims: { sub: undefined } })],
    ["a changed payload", (token) => token.replace(/\.[^.]+\./, `.${encode({ sub: "x" })}.`)],
    ["a cut signature", (token) => token.slice(0, -4)],
    ["no signature", (token) => token.replace(/\.[^.]+$/, ".")],
    ["a second token behind it", (token) => `${token}.${token}`],
  ];

  describe("F. tokens and sessions", () => {
    it("F0 a token that is forged with the server's own key and changes nothing is accepted", async () => {
      const { access_token } = await harness().openNativeSession();
      assert.equal((await harness().me(forge(access_token, {}))).status, 200);
    });

    for (const [name, change] of forgeries) {
      it(`F1 an access token is refused: ${name}`, async () => {
        const { access_token } = await harness().openNativeSession();
        const answer = await harness().me(change(access_token));
        assertRefused(answer, 401);
        assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer/);
      });
    }

    it("F2 tokens of one kind are none of another, and a header must say Bearer", async () => {
      const w = harness();
      const { access_token, refresh_token } = await w.openNativeSession();
      assertRefused(await w.me(refresh_token), 401);
      assertRefused(await w.refresh(access_token), 401);
      for (const value of [
        access_token,
        `Basic ${access_token}`,
        `Bearer ${access_token} x`,
        "Bearer ",
        "",
      ]) {
        const ask = { headers: { Authorization: value } };
        assertRefused(await w.agent().get("/auth/me", ask), 401);
      }
    });

    it("F3 a refresh token that is not ours is refused, and the session lives on", async () => {
      const w = harness();
      const { refresh_token, access_token } = await w.openNativeSession();
      const bytes = Buffer.from(refresh_token.slice(4), "base64url");
      const flipped = [0, 1, 10, 17, 18, bytes.length - 1].map((at) => {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ 1;
        return `rt1.${copy.toString("base64url")}`;
      });
      const others = [
        "rt1.",
        "rt2.AAAA",
        refresh_token.slice(4),
        `${refresh_token}A`,
        refresh_token.slice(0, -2),
        "x".repeat(300),
        "",
      ];
      for (const bad of [...flipped, ...others]) {
        const { status } = await w.refresh(bad);
        assert.equal([400, 401].includes(status), true, `${status} for ${bad.slice(0, 8)}`);
      }
      assert.equal((await w.me(access_token)).status, 200);
      assert.equal((await w.refresh(refresh_token)).status, 200);
    });

    it("F4 a refresh gives a successor; its retry within a minute gives the same one; later it is theft", async () => {
      const w = harness();
      const first = await w.openNativeSession();
      const second = (await w.refresh(first.refresh_token)).json<Tokens>();
      assert.notEqual(second.refresh_token, first.refresh_token);
      const retried = (await w.refresh(first.refresh_token)).json<Tokens>();
      assert.equal(retried.refresh_token, second.refresh_token);
      assert.equal((await w.me(second.access_token)).status, 200);
      await w.signin.sql("UPDATE sessions SET rotated_at = rotated_at - 61 WHERE user_id = ?", [
        first.user.id,
      ]);
      assertRefused(await w.refresh(first.refresh_token), 401, "refresh_reused");
      assertRefused(await w.refresh(second.refresh_token), 401);
      assertRefused(await w.me(second.access_token), 401);
    });

    it("F5 a thief and a victim who refresh in turn are found out", async () => {
      const w = harness();
      const stolen = await w.openNativeSession();
      const age = () =>
        w.signin.sql("UPDATE sessions SET rotated_at = rotated_at - 600 WHERE user_id = ?", [
          stolen.user.id,
        ]);
      const thief = (await w.refresh(stolen.refresh_token)).json<Tokens>();
      await age();
      assertRefused(await w.refresh(stolen.refresh_token), 401, "refresh_reused");
      assertRefused(await w.refresh(thief.refresh_token), 401);
    });

    it("F6 a token two generations old is theft at once", async () => {
      const w = harness();
      const first = await w.openNativeSession();
      const second = (await w.refresh(first.refresh_token)).json<Tokens>();
      const third = (await w.refresh(second.refresh_token)).json<Tokens>();
      assertRefused(await w.refresh(first.refresh_token), 401, "refresh_reused");
      assertRefused(await w.refresh(third.refresh_token), 401);
    });

    it("F7 sessions end when idle for 30 days, and after 90 whatever happens", async () => {
      const w = harness();
      for (const column of ["idle_expires_at", "expires_at"]) {
        const { refresh_token, access_token, user } = await w.openNativeSession();
        await w.signin.sql(`UPDATE sessions SET ${column} = unixepoch() - 1 WHERE user_id = ?`, [
          user.id,
        ]);
        assertRefused(await w.refresh(refresh_token), 401, "session_expired");
        assertRefused(await w.me(access_token), 401);
      }
      const { user, refresh_expires_in } = await w.openNativeSession();
      const [row] = await w.signin.sql(
        `SELECT idle_expires_at - created_at AS idle, expires_at - created_at AS life
         FROM sessions WHERE user_id = ?`,
        [user.id],
      );
      assert.equal(row?.idle, 30 * 86_400);
      assert.equal(row?.life, 90 * 86_400);
      // Seconds may pass before the response.
      assert.ok(refresh_expires_in <= 30 * 86_400 && refresh_expires_in > 29 * 86_400);
    });

    it("F8 the refresh cookie works for allowed origins alone, never twice, never beside a body", async () => {
      const w = harness();
      const agent = w.agent();
      await w.openBrowserSession(agent);
      const ask = (headers: Record<string, string>, json?: unknown) =>
        agent.ask("/auth/refresh", { method: "POST", headers, json });
      for (const origin of [
        "https://evil.example",
        "null",
        `${w.signin.baseUrl}.evil.example`,
        w.signin.baseUrl.replace("http:", "https:"),
      ]) {
        assertRefused(await ask({ Origin: origin }), 403, "forbidden_origin");
      }
      assertRefused(await ask({}), 403, "forbidden_origin");
      const { value } = agent.cookies.get("signin_rt")!;
      const twice = { Origin: w.signin.baseUrl, Cookie: `signin_rt=${value}; signin_rt=tossed` };
      assertRefused(await ask(twice), 400);
      assertRefused(await ask({ Origin: w.signin.baseUrl }, { refresh_token: value }), 400);
      const tokens = await w.refreshByCookie(agent);
      assert.equal("refresh_token" in tokens, false);
      assert.notEqual(agent.cookies.get("signin_rt")?.value, value, "and it rotates");
    });

    it("F9 a user has at most twenty sessions: the oldest end", async () => {
      const w = harness();
      const first = await w.openNativeSession();
      for (let session = 0; session < 20; session += 1) {
        await w.signInByBrowser(w.agent(), "google");
      }
      const live = await w.count("sessions", "user_id = ? AND revoked_at IS NULL", [first.user.id]);
      assert.equal(live, 20);
      assertRefused(await w.me(first.access_token), 401);
    });

    it("F10 logging out globally ends every session of the user, and of no other user", async () => {
      const w = harness();
      const other = await w.openNativeSession();
      const agent = w.agent();
      const mine = await w.openBrowserSession(agent);
      const bearer = mine.access_token;
      const second = w.agent();
      await w.signInByBrowser(second, "google");
      assert.equal((await agent.post("/auth/logout", { scope: "global" }, { bearer })).status, 204);
      const headers = { Origin: w.signin.baseUrl };
      assertRefused(await second.ask("/auth/refresh", { method: "POST", headers }), 401);
      assert.equal((await w.me(other.access_token)).status, 200);
      assertRefused(
        await agent.post("/auth/logout", { scope: "everything" }, { bearer: other.access_token }),
        400,
      );
    });
  });
}
