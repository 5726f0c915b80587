import { after } from "node:test";
import type { Browser } from "playwright-core";
import { type EngineProcess, startEngineProcess } from "../engine/process.ts";
import { type LaunchedChromium, launchChromium } from "./chromium.ts";
import type { ConsoleBrowser, ConsolePlace } from "./console.ts";

let chromium: Promise<LaunchedChromium> | undefined;
let engine: Promise<EngineProcess> | undefined;
const left: ConsoleBrowser[] = [];

// Outside of any suite: after the last test of this process.
after(async () => {
  await (await chromium)?.[Symbol.asyncDispose]();
  await (await engine)?.[Symbol.asyncDispose]();
});

/** The one browser of this process. A test opens a context of its own, and closes it. */
export async function sharedBrowser(): Promise<Browser> {
  chromium ??= launchChromium();
  return (await chromium).browser;
}

/** The same browser, and the one engine of this process, where a test has workspaces of its own. */
export async function sharedPlace(): Promise<ConsolePlace> {
  engine ??= startEngineProcess();
  return { browser: await sharedBrowser(), engine: await engine, left };
}

/** The same browser, and an engine that is empty. It ends with the test. */
export async function emptyPlace(): Promise<ConsolePlace & AsyncDisposable> {
  const own = await startEngineProcess();
  const browser = await sharedBrowser();
  return { browser, engine: own, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() };
}
