import assert from "node:assert/strict";
import { it } from "node:test";
import { createSigninClient as createNeutralClient } from "../../../signin/client/client.ts";
import { createSigninClient } from "../../../signin/client/node.ts";

const TOKENS = { access_token: "a.b.c", expires_in: 600, refresh_token: "r", token_type: "Bearer" };

/** A client of a server that starts a native login, and what it was asked. */
function nativeClient() {
  const asked: string[] = [];
  let redirectTo = "";
  const client = createSigninClient({
    baseUrl: "https://auth.example.test",
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, searchParams } = new URL(request.url);
      asked.push(pathname);
      if (pathname === "/auth/google/login") {
        redirectTo = searchParams.get("redirect_to") ?? "";
        assert.equal(searchParams.get("native"), "true");
        assert.equal(searchParams.get("code_challenge_method"), "S256");
        return Response.json({ url: "https://provider.example/", state: "s" });
      }
      if (pathname === "/auth/native/token") {
        const { code, code_verifier } = JSON.parse(await request.text());
        assert.ok(code === "c" && code_verifier.length === 43);
        return Response.json(TOKENS);
      }
      return Response.json({ email: "ada@example.com" });
    },
  });
  const come = (query: string) => fetch(`${redirectTo}?${query}`);
  return { client, asked, come };
}

it("nativeLogin signs in through the browser, and keeps the session", async () => {
  const { client, asked, come } = nativeClient();
  const openBrowser = (url: string) => {
    assert.equal(url, "https://provider.example/");
    void come("state=another&code=x").then(() => come("state=s&code=c"));
  };
  const me = await client.nativeLogin({ provider: "google", openBrowser });
  assert.equal(me.email, "ada@example.com");
  assert.equal(await client.accessToken(), TOKENS.access_token);
  assert.deepEqual(asked, ["/auth/google/login", "/auth/native/token", "/auth/me"]);
});

it("nativeLogin rejects where the user refuses, where it is given up, and off Node", async () => {
  const { client, come } = nativeClient();
  const refuse = () => void come("state=s&error=access_denied");
  await assert.rejects(client.nativeLogin({ provider: "google", openBrowser: refuse }), {
    name: "SigninError",
    message: /not completed in the browser/,
  });
  const stop = new AbortController();
  const openBrowser = () => stop.abort(new Error("enough"));
  const login = { provider: "google", openBrowser, signal: stop.signal };
  await assert.rejects(client.nativeLogin(login), { message: "enough" });
  const neutral = createNeutralClient({ baseUrl: "https://auth.example.test" });
  await assert.rejects(neutral.nativeLogin(login), { message: "nativeLogin() needs Node." });
});
