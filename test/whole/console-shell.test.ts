import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser, Page, Route } from "playwright-core";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import {
  type ConsoleBrowser,
  createConsoleLink,
  openConsoleBrowser,
  openConsoleTab,
  PAGE_PATHS,
} from "../support/browser/console.ts";
import { sharedBrowser } from "../support/browser/shared.ts";
import {
  type EngineProcess,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { freePort } from "../support/fake-server.ts";
import { json } from "../support/http.ts";
import { until, untilEqual } from "../support/time.ts";

describe("in a browser, the console's frame", { skip: NO_CHROMIUM }, () => {
  let browser: Browser;
  let engine: EngineProcess;
  // For what leaves a page as it is, or opens it anew.
  let open: ConsoleBrowser;
  const dataDirectory = temporaryDirectory();
  before(async () => {
    browser = await sharedBrowser();
    engine = await start(await freePort());
    open = await openConsoleBrowser(browser, target());
  });
  after(async () => {
    await open?.[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
    rmSync(dataDirectory, { recursive: true });
  });

  const start = (port: number) =>
    startEngineProcess({ dataDirectory, env: { ENGINE_PORT: String(port) } });
  const target = () => ({
    origin: `http://127.0.0.1:${engine.runtime.port}`,
    token: engine.runtime.token,
  });

  const restart = async () => {
    const { port } = engine.runtime;
    await engine.end("SIGTERM");
    engine = await start(port);
  };
  const lockOf = (page: Page) => page.getByRole("dialog", { name: "The engine was restarted" });
  /** Pastes a link into the address of a page that a restart locks. */
  const unlock = async (page: Page) => {
    const locked = lockOf(page);
    await locked.waitFor();
    const link = await createConsoleLink(target());
    await page.evaluate((url) => {
      location.href = url;
    }, link);
    await locked.waitFor({ state: "detached" });
  };

  /** Opens the checks of the engine, which are read anew. */
  const checks = async (page: Page) => {
    await page.getByRole("button", { name: /needs? attention|is fine/ }).click();
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText(/checks? (is|are) fine/).waitFor();
    await page.keyboard.press("Escape");
  };

  it("leads to every page by g and its letter, and gives its heading the focus", async () => {
    const { page } = open;
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.waitFor();
    await untilEqual(() => help.locator("dt").count(), PAGE_PATHS.length + 5);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    for (const [letter, path] of [
      ["f", "folders"],
      ["u", "usage"],
    ]) {
      // At once: the page waits a moment for the letter.
      await Promise.all([page.keyboard.press("g"), page.keyboard.press(letter ?? "")]);
      await page.waitForURL((url) => url.hash === `#/${path}`);
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    }
  });

  it("gives the heading the focus where the page comes later, with the workspaces", async () => {
    await using context = await browser.newContext();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await context.route("**/api/v1/workspaces", async (route) => {
      await held;
      await route.continue();
    });
    const { page } = await openConsoleTab(context, target());
    await Promise.all([page.keyboard.press("g"), page.keyboard.press("f")]);
    await page.locator("h1:focus", { hasText: "Folders" }).waitFor();
    release();
    // There is no workspace yet.
    await page.locator("h1:focus", { hasText: "Welcome to Roundhouse" }).waitFor();
  });

  it("lets the keyboard skip the navigation", async () => {
    const { page } = open;
    // The focus begins at the beginning.
    await page.reload();
    await page.getByRole("navigation").waitFor();
    await page.keyboard.press("Tab");
    await page.locator(":focus", { hasText: "Skip to content" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("#content:focus").waitFor();
  });

  it("keeps the chosen theme over a reload", async () => {
    await using open = await openConsoleBrowser(browser, target(), { colorScheme: "light" });
    const { page } = open;
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole("button", { name: "dark" }).click();
    await until("The other theme", async () => (await background()) !== light);
    const dark = await background();
    await page.reload();
    await page.waitForSelector("nav");
    await untilEqual(background, dark);
    await page.getByRole("button", { name: "system" }).click();
    await untilEqual(background, light);
  });

  it("begins with a workspace, says what is missing, and shows the checks with their cure", async () => {
    const { page } = open;
    await page.getByRole("heading", { name: "Welcome to Roundhouse" }).waitFor();
    const name = page.getByLabel("Workspace name");
    await name.fill("Kitchen");
    await name.press("Enter");
    await page.getByRole("button", { name: "Workspace: Kitchen" }).waitFor();
    await page.getByRole("link", { name: "Connect a model" }).waitFor();
    await page.getByRole("link", { name: "Add a folder" }).waitFor();
    const [made] = await json(await engine.call("GET", "/workspaces"));
    assert.deepEqual(
      [JSON.parse(made.approvalConfig), JSON.parse(made.toolsConfig)],
      [{ read: false }, { builtin: { filesystem: { enabled: false } } }],
    );

    await page.getByRole("button", { name: "1 thing needs attention" }).click();
    const dialog = page.getByRole("dialog", { name: "Engine" });
    await dialog.getByText(engine.runtime.version, { exact: true }).waitFor();
    await dialog.getByText("No model is configured.").waitFor();
    await page.keyboard.press("Escape");
    const model = { provider: "ollama", model: "m", baseUrl: "http://127.0.0.1:9/v1" };
    await engine.call("POST", "/model-configurations", model);
    const directories = JSON.stringify([join(dataDirectory, "gone")]);
    await engine.call("PUT", `/workspaces/${made.uuid}`, { ...made, directories });
    await page.getByRole("link", { name: "gone" }).waitFor();
    await page.getByRole("link", { name: "Connect a model" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /things need attention/ }).click();
    await dialog.getByText("Nothing answers at http://127.0.0.1:9. Is Ollama running?").waitFor();
  });

  it("calls the engine fine once its checks are read, and not before", async () => {
    const { page } = open;
    const read = Promise.withResolvers<void>();
    await page.route(/\/status\?/, async (route) => {
      await read.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole("button", { name: "Checking the engine …" }).waitFor();
    await untilEqual(() => page.locator(".engine-line .dot.good").count(), 0);
    read.resolve();
    await page.getByRole("button", { name: /needs? attention|is fine/ }).waitFor();
  });

  it("stays over a restart of the engine, and goes on by a link in another tab", async () => {
    const { page } = open;
    const { port } = engine.runtime;
    const composer = page.getByLabel("Message", { exact: true });
    await composer.waitFor();
    await engine.end("SIGTERM");
    await page.getByText("The engine is not responding.").waitFor();
    await composer.fill("half a sentence");
    await until(
      "The composer in view",
      async () => ((await composer.boundingBox())?.y ?? 9999) < 800,
    );
    engine = await start(port);
    const locked = lockOf(page);
    await locked.waitFor();
    await page.keyboard.press("Escape");
    await untilEqual(() => locked.count(), 1, "it cannot be left");
    const second = await page.context().newPage();
    await second.goto(await createConsoleLink(target()));
    await second.waitForSelector("nav");
    await locked.waitFor({ state: "detached" });
    await second.close();
    await untilEqual(() => composer.inputValue(), "half a sentence");
    await page.getByText("The engine is not responding.").waitFor({ state: "detached" });
    // A tab behind another one draws no frames, and its buttons never come to rest.
    await page.bringToFront();
    await checks(page);
    await page.reload();
    await untilEqual(() => composer.inputValue(), "half a sentence");
  });

  it("goes on by a link that is pasted into its address, and after a reload", async () => {
    const { page } = open;
    await restart();
    await unlock(page);
    await page.waitForURL((url) => url.hash === "");
    await page.reload();
    await checks(page);
  });

  it("is not locked by a late answer to the former token", async () => {
    const { page } = open;
    const isSample = (url: URL) => url.pathname === "/api/v1/status";
    const held = Promise.withResolvers<Route>();
    // A page that goes takes its requests with it: the one that is held must be of the page that stays.
    const address = page.url();
    await page.goto("about:blank");
    await page.route(isSample, (route) => held.resolve(route), { times: 1 });
    await page.goto(address);
    const late = await held.promise;
    await restart();
    await unlock(page);

    const refused = page.waitForResponse(
      (answer) => answer.request() === late.request() && answer.status() === 401,
    );
    const repeated = page.waitForResponse(
      (answer) => isSample(new URL(answer.url())) && answer.status() === 200,
    );
    await late.continue();
    await Promise.all([refused, repeated]);
    const kept = await page.evaluate(() => Object.values(sessionStorage));
    assert.deepEqual(kept, [engine.runtime.token]);
    await checks(page);
    await lockOf(page).waitFor({ state: "detached" });
    await page.reload();
    await checks(page);
  });
});
