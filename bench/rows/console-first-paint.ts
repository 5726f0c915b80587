import { gzipSync } from "node:zlib";
import { CONSOLE_FILES } from "../../engine/console/page.generated.ts";
import { KIB } from "../../shared/units.ts";
import { launchChromium, NO_CHROMIUM } from "../../test/support/browser/chromium.ts";
import { openConsoleBrowser } from "../../test/support/browser/console.ts";
import { startEngineProcess } from "../../test/support/engine/process.ts";
import { median, type Row } from "../harness.ts";

const FIRST_LOAD_KIB_MAX = 120;
const FIRST_PAINT_MS_MAX = 200;
const OPENED = 9;

/** What a browser loads at first, compressed. */
export const consoleSizeRow: Row = {
  name: "Console first load, gzip",
  figure: `≤ ${FIRST_LOAD_KIB_MAX} KiB`,
  async measure() {
    const files = ["index.html", "icon.svg", "console.css", "console.js"];
    const sizes = files.map((name) => gzipSync(CONSOLE_FILES[name]?.text ?? "").length);
    const kib = sizes.reduce((sum, size) => sum + size, 0) / KIB;
    const ours = `${kib.toFixed(1)} KiB`;
    return [{ ours, floor: "none", ratio: "-", reached: kib <= FIRST_LOAD_KIB_MAX }];
  },
};

/** From the navigation to the first paint of the console, over loopback, in a new context each time. */
export const consoleFirstPaintRow: Row = {
  name: "Console first paint",
  figure: `median ≤ ${FIRST_PAINT_MS_MAX} ms on loopback`,
  async measure() {
    if (NO_CHROMIUM) return [{ ours: NO_CHROMIUM, floor: "none", ratio: "-", reached: undefined }];
    await using engine = await startEngineProcess();
    await using launched = await launchChromium();
    const { port, token } = engine.runtime;
    const times: number[] = [];
    // The first one loads the page's module, and warms the browser.
    for (let count = 0; count <= OPENED; count += 1) {
      await using open = await openConsoleBrowser(launched.browser, {
        origin: `http://127.0.0.1:${port}`,
        token,
      });
      const paint = await open.page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
      );
      if (count > 0) times.push(paint ?? Number.NaN);
    }
    const ms = median(times);
    const shown = `${ms.toFixed(0)} ms`;
    return [{ ours: shown, floor: "none", ratio: "-", reached: ms <= FIRST_PAINT_MS_MAX }];
  },
};
