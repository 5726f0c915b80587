// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAccountServerClient } from "../../../engine/account/account-server.ts";
import { logInNatively } from "../../../engine/cli/login-command.ts";
import { sha256, toBase64Url } from "../../../shared/bytes.ts";
import {
  type AccountServerRequest,
  refused,
  ScriptedServer,
  tokens,
} from "../../support/engine/account.ts";
import { TestClock, WATCHDOG_MS } from "../../support/time.ts";

const STATE = "the-state-of-the-server";

/** Starts a login; `browse` plays the person's browser once the address is shown. */
async function startLogin(browse: (redirectTo: string) => Promise<void>, signal?: AbortSignal) {
  const cloud = new ScriptedServer()
    .script("GET /auth/github/login", () =>
      Response.json({ url: "https://provider.example/authorize?x=1", state: STATE }),
    )
    .script("POST /auth/native/token", tokens("native"));
  const port = createAccountServerClient({
    accountUrl: "https://cloud.example",
    fetch: cloud.fetch,
    clock: new TestClock(),
  });
  let browsing: Promise<void> | undefined;
  const login = logInNatively(port, {
    provider: "github",
    signal: signal ?? AbortSignal.timeout(WATCHDOG_MS),
    openBrowser(url) {
      assert.equal(url, "https://provider.example/authorize?x=1");
      browsing = browse(cloud.requests[0]?.query.redirect_to ?? "");
    },
  });
  const result = await login.then(
    (value) => ({ value }),
    (error: Error) => ({ error }),
  );
  await browsing;
  return { ...result, requests: cloud.requests };
}

function redirect(to: string, query: Record<string, string>): Promise<Response> {
  return fetch(`${to}?${new URLSearchParams(query)}`);
}

describe("a native login", () => {
  it("proves with its verifier that it began the login, and gets the refresh token", async () => {
    const { value, requests } = (await startLogin(async (to) => {
      assert.match(to, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      const page = await redirect(to, { code: "c0de", state: STATE });
      assert.equal(page.status, 200);
      assert.match(await page.text(), /close this window/);
    })) as { value: string; requests: AccountServerRequest[] };
    assert.equal(value, "refresh-native");
    const [start, exchange] = requests;
    assert.equal(start?.query.native, "true");
    assert.equal(start?.query.code_challenge_method, "S256");
    const body = exchange?.body as { code: string; code_verifier: string };
    assert.equal(body.code, "c0de");
    assert.match(body.code_verifier, /^[A-Za-z0-9._~-]{43,128}$/);
    const challenge = toBase64Url(await sha256(body.code_verifier));
    assert.equal(start?.query.code_challenge, challenge);
  });

  it("waits past answers of others: another state, another path, another method", async () => {
    const { value } = (await startLogin(async (to) => {
      for (const [url, method] of [
        [`${to}?code=evil&state=other`, "GET"],
        [`${to}?code=evil`, "GET"],
        [`${to.replace("/callback", "/")}?code=evil&state=${STATE}`, "GET"],
        [`${to}?code=evil&state=${STATE}`, "POST"],
      ] as const) {
        assert.equal((await fetch(url, { method })).status, 400);
      }
      await redirect(to, { code: "c0de", state: STATE });
    })) as { value: string };
    assert.equal(value, "refresh-native");
  });

  it("reports a refusal of the user or the provider", async () => {
    const unproven = (await startLogin(async (to) => {
      await redirect(to, { error: "email_unverified", state: STATE });
    })) as { error: Error };
    assert.match(unproven.error.message, /Sign up on the sign-in server's page first/);
    const { error, requests } = (await startLogin(async (to) => {
      await redirect(to, { error: "access_denied", state: STATE });
    })) as { error: Error; requests: AccountServerRequest[] };
    assert.match(error.message, /not completed in the browser/);
    assert.equal(requests.length, 1);
  });

  it("ends when it is aborted, and leaves its port", async () => {
    const controller = new AbortController();
    let left = "";
    const { error } = (await startLogin(async (to) => {
      left = to;
      controller.abort(new Error("stop"));
    }, controller.signal)) as { error: Error };
    assert.equal(error.message, "stop");
    await assert.rejects(fetch(left));
  });

  it("passes on why the server refuses to begin", async () => {
    const cloud = new ScriptedServer().script("GET /auth/github/login", refused(404, "Not here."));
    const server = createAccountServerClient({
      accountUrl: "https://cloud.example",
      fetch: cloud.fetch,
      clock: new TestClock(),
    });
    const login = logInNatively(server, {
      provider: "github",
      signal: AbortSignal.timeout(WATCHDOG_MS),
      openBrowser: () => assert.fail("nothing to show"),
    });
    await assert.rejects(login, { message: "Not here.", status: 404 });
  });
});
