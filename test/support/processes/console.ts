import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { browseConsole, type ConsoleTab, type ConsoleTarget } from "../engine/console.ts";
import { launchChromium } from "./chromium.ts";
import { type EngineProcess, type ProcessOptions, startEngineProcess } from "./engine-process.ts";

/** The console of an engine of its own, in a browser. */
export interface OpenConsole extends ConsoleTab, AsyncDisposable {
  engine: EngineProcess;
  browser: Browser;
}

/** Starts an engine and opens its console with a link. Its disposal fails where the page reported an error or asked another host. */
export async function openConsole(options: ProcessOptions = {}): Promise<OpenConsole> {
  const engine = await startEngineProcess(options);
  const browser = await launchChromium();
  const tab = await browseConsole(browser, targetOf(engine));
  return {
    ...tab,
    engine,
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await engine[Symbol.asyncDispose]();
      assert.deepEqual(tab.faults, []);
    },
  };
}

/** Where the console of this engine is opened. */
export function targetOf({ baseUrl, runtime }: EngineProcess): ConsoleTarget {
  return { origin: new URL(baseUrl).origin, token: runtime.token };
}
