import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { freePort } from "../fake-server.ts";

const PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/snap/bin/chromium",
  ],
  darwin: [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  ],
};

const executable = findChromium();

/** Why the browser tests cannot run here, or false where they can. */
export const NO_CHROMIUM =
  executable === undefined
    ? "Chromium is missing: .ci/run installs it, or CHROMIUM_PATH names it"
    : false;

/** A headless browser that makes no request by itself. */
export function launchChromium(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
}

/** A window as a person has it: one of its tabs is shown, the others are hidden. The tabs of other contexts are all shown. */
export async function launchWindow(): Promise<{ context: BrowserContext } & AsyncDisposable> {
  const port = await freePort();
  const browser = await launchChromium(`--remote-debugging-port=${port}`);
  const options = { noDefaults: true };
  const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, options);
  const [context] = connected.contexts();
  if (!context) throw new Error("The browser has no window.");
  return {
    context,
    async [Symbol.asyncDispose]() {
      await connected.close();
      await browser.close();
    },
  };
}

/** The path in CHROMIUM_PATH, which must exist, or the first of the platform's usual ones that does. */
function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH: there is no file ${CHROMIUM_PATH}`);
  }
  return PLACES[process.platform]?.find((path) => existsSync(path));
}
