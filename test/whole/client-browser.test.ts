import assert from "node:assert/strict";
import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { sharedPlace } from "../support/browser/shared.ts";
import { bundleScript } from "../support/browser-bundle.ts";

it("the typed client in a browser renews its token, waits for the engine to read, and not to write", {
  skip: NO_CHROMIUM,
}, async () => {
  const { browser, engine } = await sharedPlace();
  const { origin } = new URL(engine.baseUrl);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    // A page of the engine's own origin.
    await page.goto(`${origin}/api/v1/health`);
    const script = await bundleScript(`
      import { createClient } from "./engine/client/client.ts";
      const tokens = ["old", "${engine.runtime.token}"];
      const client = createClient({ baseUrl: "${origin}", token: async () => tokens.shift() });
      const failureOf = (call) => call.then(() => "none", ({ name, status }) => name + " " + status);
      globalThis.listed = async () => [(await client.workspaces.list()).length > 0, tokens.length];
      globalThis.created = () => failureOf(client.workspaces.create({ name: "From a browser" }));
      globalThis.impatient = () =>
        failureOf(createClient({ baseUrl: "${origin}", token: "t", reconnectMs: 0 }).workspaces.list());`);
    await page.evaluate(script);
    assert.equal(await page.evaluate("created()"), "none");
    assert.deepEqual(await page.evaluate("listed()"), [true, 0]);
    await context.setOffline(true);
    assert.equal(await page.evaluate("created()"), "EngineError 0");
    assert.equal(await page.evaluate("impatient()"), "EngineNotRunning 0");
    const failed = page.waitForEvent("requestfailed");
    const listed = page.evaluate("listed()");
    await failed;
    await context.setOffline(false);
    assert.deepEqual(await listed, [true, 0]);
  } finally {
    await context.close();
  }
});
