import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

// The last list counts: those of Playwright that matter here stand in it, too.
const DISABLED_FEATURES = [
  // Two pages of the browser's own, which each window would load.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // Requests at its start.
  "AimEnabled",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PreconnectToSearch",
  // As Playwright wants it.
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "PaintHolding",
];

// The same engine without a browser around it: it takes two thirds of the processor's time. It has no tabs that can be hidden.
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

const executable = findChromium();
const shell =
  process.env.CHROMIUM_PATH || !existsSync(HEADLESS_SHELL) ? executable : HEADLESS_SHELL;

/** Why the browser tests cannot run here, or false where they can. */
export const NO_CHROMIUM =
  executable === undefined
    ? "Chromium is missing: .ci/run installs it, or CHROMIUM_PATH names it"
    : false;

/** A browser, and the end of it and of all that it wrote. */
export interface LaunchedChromium extends AsyncDisposable {
  browser: Browser;
}

/** A headless browser that makes no request by itself. Its home is a folder of its own: it has caches, settings and crash dumps there. */
export async function launchChromium(
  executablePath = shell,
  ...args: string[]
): Promise<LaunchedChromium> {
  const home = await mkdtemp(join(tmpdir(), "roundhouse-chromium-"));
  const remove = () => rm(home, { recursive: true, force: true });
  const xdg = ["CONFIG_HOME", "CACHE_HOME", "DATA_HOME", "STATE_HOME", "RUNTIME_DIR"];
  const env = {
    ...process.env,
    HOME: home,
    TMPDIR: home,
    ...Object.fromEntries(xdg.map((name) => [`XDG_${name}`, home])),
  };
  try {
    const browser = await chromium.launch({
      executablePath,
      headless: true,
      env,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        `--disable-features=${DISABLED_FEATURES.join()}`,
        ...args,
      ],
    });
    return {
      browser,
      async [Symbol.asyncDispose]() {
        await browser.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A window as a person has it: one of its tabs is shown, the others are hidden. The tabs of other contexts are all shown. */
export async function launchWindow(): Promise<{ context: BrowserContext } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  // A renderer for all tabs, not one for each.
  const args = [`--remote-debugging-port=${port}`, "--process-per-site"];
  stack.use(await launchChromium(executable, ...args));
  const options = { noDefaults: true };
  const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, options);
  stack.defer(() => connected.close());
  const [context] = connected.contexts();
  if (!context) throw new Error("The browser has no window.");
  const held = stack.move();
  return { context, [Symbol.asyncDispose]: () => held.disposeAsync() };
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
