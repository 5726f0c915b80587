// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openAccountTest, refused, tokens } from "../../support/engine/account.ts";
import { json } from "../../support/http.ts";

describe("a hostile or absent account server", () => {
  const big = () => new Response(`{"access_token":"${"a".repeat(1024 * 1024)}`);
  for (const [name, answer, status, error] of [
    ["a refusal", () => refused(401, "Wrong."), 401, "Wrong."],
    ["a rate limit", () => refused(429, "Slow down."), 429, "Slow down."],
    ["an outage", () => refused(503, "Away."), 503, "Away."],
    ["an outage in HTML", () => new Response("<html>", { status: 500 }), 500, /status 500/],
    ["a redirect", () => Response.redirect("https://evil.example/", 302), 502, /invalid response/],
    ["HTML", () => new Response("<html>"), 502, /invalid response/],
    ["an empty answer", () => new Response(""), 502, /invalid response/],
    ["an answer that is too large", big, 502, /invalid response/],
    ["a wrong shape", () => Response.json({ access_token: 1 }), 502, /invalid response/],
    ["a token with CRLF", () => tokens("1\r\nX-Evil: 1"), 502, /invalid response/],
    ["a user of a wrong shape", () => tokens(1, { user: { id: 1 } }), 502, /invalid response/],
    ["a negative lifetime", () => tokens(1, { expires_in: -1 }), 502, /invalid response/],
    ["a broken connection", () => new TypeError("fetch failed to 10.0.0.1"), 502, /be reached/],
    ["a key in its error", () => refused(400, "bad sk-CANARY1234567890"), 400, "bad [redacted]"],
  ] as const) {
    it(`answers ${status} for ${name}, to a login and to a refresh, and keeps the session`, async () => {
      await using test = await openAccountTest();
      await test.login();
      test.engine.deps.clock.advance(600_000);
      test.cloud.script("POST /auth/login", answer).script("POST /auth/refresh", answer);
      const rejected = status === 401;
      for (const response of [await test.login(), await test.session()]) {
        if (rejected && response.status === 200) continue;
        const body = await json(response, status);
        assert.deepEqual(Object.keys(body), ["error"]);
        if (typeof error === "string") assert.equal(body.error, error);
        else assert.match(body.error, error);
      }
      test.cloud.script("POST /auth/refresh", tokens(2));
      const after = await json(await test.session());
      assert.equal(after.authenticated, !rejected);
    });
  }

  const stuck: [string, (signal: AbortSignal) => Promise<Response>][] = [
    ["never comes", (signal) => new Promise((_, reject) => onAbort(signal, reject))],
    ["never ends", async (signal) => new Response(endless(signal))],
  ];
  for (const [name, answer] of stuck) {
    it(`answers 502 if the answer ${name} within 10 s, and keeps the session`, async (t) => {
      let asked: (() => void) | undefined;
      await using test = await openAccountTest({
        fetch: (input, init) => {
          if (!asked) return test.cloud.fetch(input, init);
          asked();
          return answer(init?.signal ?? assert.fail("no signal"));
        },
      });
      await test.login();
      test.engine.deps.clock.advance(600_000);
      const limit = new AbortController();
      t.mock.method(AbortSignal, "timeout", (ms: number) => {
        assert.equal(ms, 10_000);
        return limit.signal;
      });
      const reached = Promise.withResolvers<void>();
      asked = reached.resolve;
      const session = test.session();
      await reached.promise;
      limit.abort(new DOMException("It took too long.", "TimeoutError"));
      assert.match((await json(await session, 502)).error, /be reached/);
      t.mock.restoreAll();
      asked = undefined;
      test.cloud.script("POST /auth/refresh", tokens(2));
      assert.equal((await json(await test.session())).authenticated, true);
    });
  }
});

function onAbort(signal: AbortSignal, fail: (reason: unknown) => void): void {
  signal.addEventListener("abort", () => fail(signal.reason));
}

function endless(signal: AbortSignal): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("{"));
      onAbort(signal, (reason) => controller.error(reason));
    },
  });
}
