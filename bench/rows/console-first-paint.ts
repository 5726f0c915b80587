import { launchChromium, NO_CHROMIUM } from "../../test/support/browser/chromium.ts";
import { openConsoleBrowser } from "../../test/support/browser/console.ts";
import { startEngineProcess } from "../../test/support/engine/process.ts";
import { median, type Row } from "../harness.ts";

const FIRST_PAINT_MS_MAX = 150;
const OPENED = 9;

/** From the navigation to the first paint of the console, over loopback, in a new context each time. */
export const consoleFirstPaintRow: Row = {
  name: "Console first paint",
  figure: "median ≤ 150 ms on loopback",
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
