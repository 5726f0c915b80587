import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestSignin } from "../../support/signin/signin.ts";

describe("the host of a page in development", () => {
  const development = (APP_BASE_URL: string | undefined) =>
    createTestSignin({
      APP_ENV: "development",
      APP_BASE_URL,
      APP_UI_BASE_URL: undefined,
      CORS_ALLOWED_ORIGINS: undefined,
    });
  const HTML = { headers: { accept: "text/html,*/*;q=0.8" } };
  const redirects: [base: string | undefined, from: string, to: string | null][] = [
    [undefined, "http://127.0.0.1:8787/?a=b", "http://localhost:8787/?a=b"],
    [undefined, "http://127.0.0.1:8787//evil.test", "http://localhost:8787//evil.test"],
    ["http://127.0.0.1:8787", "http://localhost:8787/", "http://127.0.0.1:8787/"],
    [undefined, "http://localhost:8787/", null],
    [undefined, "http://127.0.0.1:3000/", null],
    [undefined, "http://evil.test:8787/", null],
    ["https://tunnel.example.test", "http://localhost:8787/", null],
  ];
  for (const [base, from, to] of redirects) {
    it(`${to ?? "nothing"} is where a browser is redirected from ${from}`, async () => {
      await using signin = await development(base);
      const response = await signin.call("GET", from, HTML);
      assert.equal(response.headers.get("location"), to);
      if (to !== null) assert.equal(response.status, 302);
    });
  }

  it("a program may use the address where the server listens, and is not redirected", async () => {
    await using signin = await development(undefined);
    const url = "http://127.0.0.1:8787";
    assert.equal((await signin.call("GET", `${url}/`)).status, 200);
    const options = { origin: url, body: {} };
    assert.equal((await signin.call("POST", `${url}/auth/passkey/options`, options)).status, 200);
  });
});

describe("the host of a page elsewhere", () => {
  it("redirects nothing", async () => {
    await using signin = await createTestSignin({
      APP_ENV: "test",
      APP_BASE_URL: "http://localhost:8787",
    });
    const headers = { accept: "text/html" };
    assert.equal((await signin.call("GET", "http://127.0.0.1:8787/", { headers })).status, 400);
  });
});
