import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { CONSOLE_FILES } from "../../engine/console/page.generated.ts";
import { KIB } from "../../shared/units.ts";
import { ROOT } from "../house/sources.ts";
import { axeFaults, looksAt } from "../support/browser/axe.ts";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import {
  type ConsoleBrowser,
  fillEngine,
  openConsoleBrowser,
  PAGE_PATHS,
  visitPage,
} from "../support/browser/console.ts";
import { sharedBrowser } from "../support/browser/shared.ts";
import { TEST_TOKEN } from "../support/engine/engine.ts";
import type { TestFolder } from "../support/engine/files.ts";
import { type LiveEngine, startLiveEngine } from "../support/engine/live.ts";
import { isLongRun } from "../support/repeats.ts";
import { untilEqual } from "../support/time.ts";

const PAGE_KIB_MAX = 120;
// The others are loaded when the first code or formula is shown.
const FIRST_FILES = ["index.html", "icon.svg", "console.css", "console.js"];

it("the page and all that it loads at first are at most 120 KiB, compressed", () => {
  const sizes = FIRST_FILES.map((name) => gzipSync(CONSOLE_FILES[name]?.text ?? "").length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= PAGE_KIB_MAX * KIB, `${(total / KIB).toFixed(1)} KiB`);
});

it("a start of the engine loads no file of the page", () => {
  const text = readFileSync(join(ROOT, "engine/console/console.ts"), "utf8");
  assert.doesNotMatch(text, /^import .*page\.generated/m);
  assert.match(text, /await import\("\.\/page\.generated\.ts"\)/);
});

describe("in a browser, every page of the console", { skip: NO_CHROMIUM }, () => {
  let live: LiveEngine;
  let browser: Browser;
  let folder: TestFolder;
  let open: ConsoleBrowser;
  let withAxe: ConsoleBrowser;
  const target = () => ({ origin: `http://127.0.0.1:${live.port}`, token: TEST_TOKEN });
  before(async () => {
    live = await startLiveEngine();
    browser = await sharedBrowser();
    folder = await fillEngine(live);
    open = await openConsoleBrowser(browser, target());
    withAxe = await openConsoleBrowser(browser, target(), { bypassCSP: true });
  });
  after(async () => {
    await withAxe[Symbol.asyncDispose]();
    await open[Symbol.asyncDispose]();
    await live[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  for (const { width, colorScheme, only } of looksAt(1440, 360, { pairs: isLongRun })) {
    it(`has no fault of accessibility, ${colorScheme} at ${width} pixels`, async () => {
      const { page } = withAxe;
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const found: string[] = [];
      const look = async (what: string) =>
        found.push(...(await axeFaults(page, { only })).map((fault) => `${what}: ${fault}`));
      for (const path of PAGE_PATHS) {
        await visitPage(page, path);
        await look(path);
      }
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await look("shortcuts");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assert.deepEqual(found, []);
    });
  }

  it("is as wide as its window, and no wider", async () => {
    await open.page.setViewportSize({ width: 360, height: 740 });
    for (const path of PAGE_PATHS) {
      await visitPage(open.page, path);
      const widest = await open.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(widest <= 360, `${path}: ${widest}`);
    }
  });

  it("has one heading of the first level, and names its tab", async () => {
    for (const path of PAGE_PATHS) {
      await visitPage(open.page, path);
      await untilEqual(() => open.page.locator("h1").count(), 1, path);
      await open.page.waitForFunction(() => /\S · Roundhouse$/.test(document.title));
    }
  });
});
