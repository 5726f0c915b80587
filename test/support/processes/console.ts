import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { json } from "../json.ts";
import { launchChromium } from "./chromium.ts";
import { type EngineProcess, type ProcessOptions, startEngineProcess } from "./engine-process.ts";

/** The console of an engine of its own, in a browser. */
export interface OpenConsole extends AsyncDisposable {
  engine: EngineProcess;
  browser: Browser;
  page: Page;
  /** Shows a page of the console: `["folders", uuid]`. */
  show(...route: string[]): Promise<void>;
}

/** Starts an engine and opens its console with a link. Its disposal fails where the page reported an error or asked another host. */
export async function openConsole(options: ProcessOptions = {}): Promise<OpenConsole> {
  const engine = await startEngineProcess(options);
  const browser = await launchChromium();
  const page = await (await browser.newContext()).newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(engine.baseUrl).origin) {
      faults.push(request.url());
    }
  });
  const { url } = await json(await engine.call("POST", "/console/links"));
  await page.goto(url);
  await page.getByRole("navigation").waitFor();
  return {
    engine,
    browser,
    page,
    async show(...route) {
      const hash = `#/${route.map(encodeURIComponent).join("/")}`;
      await page.evaluate((text) => {
        location.hash = text;
      }, hash);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await engine[Symbol.asyncDispose]();
      assert.deepEqual(faults, []);
    },
  };
}
