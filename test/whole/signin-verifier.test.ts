import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { sharedBrowser } from "../support/browser/shared.ts";
import { bundleScript } from "../support/browser-bundle.ts";
import { startFakeServer } from "../support/fake-server.ts";
import { SigninHarness, type Tokens } from "../support/signin/harness.ts";
import { nodeRuntime } from "../support/signin/runtimes.ts";
import { COMPATIBILITY } from "../support/worker.ts";

// `roundhouse/signin/verify` outside of Node, as a bundler takes it: in a Worker, and in a page of another origin.

describe("the verifier of other services", () => {
  let harness: SigninHarness;
  let tokens: Tokens;
  before(async () => {
    harness = await SigninHarness.open(nodeRuntime, { JWT_SIGNING_ALG: "EdDSA" });
    tokens = await harness.openNativeSession();
  });
  after(() => harness?.[Symbol.asyncDispose]());

  it("works on Workers, also for requests that come at once", async () => {
    const script = await bundleScript(`
      import { createVerifier } from "roundhouse/signin/verify";
      const verify = createVerifier({ issuer: "${harness.signin.baseUrl}", audience: "signin" });
      export default {
        fetch: async (request) => Response.json(await verify(await request.text())
          .catch(({ reason, message }) => ({ reason, message }))),
      };`);
    const worker = new Miniflare(
      convertV4MiniflareOptions({
        name: "verifier",
        modules: true,
        script,
        compatibilityDate: COMPATIBILITY.date,
        cf: false,
        telemetry: { enabled: false },
      }),
    );
    try {
      const url = await worker.ready;
      const ask = async (body: string) => (await fetch(url, { method: "POST", body })).json();
      const found = await Promise.all(Array.from({ length: 20 }, () => ask(tokens.access_token)));
      for (const { userId } of found as { userId: string }[]) assert.equal(userId, tokens.user.id);
      const cut = tokens.access_token.slice(0, -8) + "A".repeat(8);
      assert.equal(((await ask(cut)) as { reason: string }).reason, "signature");
    } finally {
      await worker.dispose();
    }
  });

  it("works in a page of another origin", { skip: NO_CHROMIUM }, async () => {
    const script = await bundleScript(`
      import { createVerifier } from "roundhouse/signin/verify";
      window.verify = createVerifier({ issuer: "${harness.signin.baseUrl}", audience: "signin" });`);
    await using server = await startFakeServer(() => async (request) => {
      const isScript = new URL(request.url).pathname === "/page.js";
      const body = isScript
        ? script
        : '<!doctype html><script type="module" src="/page.js"></script>';
      const type = isScript ? "text/javascript" : "text/html";
      return new Response(body, { headers: { "content-type": type } });
    });
    const page = await (await sharedBrowser()).newPage();
    await page.goto(server.url);
    await page.waitForFunction("window.verify");
    const call = `window.verify(${JSON.stringify(tokens.access_token)}).then((found) => found.userId)`;
    assert.equal(await page.evaluate(call), tokens.user.id);
    await page.close();
  });
});
