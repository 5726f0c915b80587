import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { launchChromium } from "../../test/support/browser/chromium.ts";
import { openChat, streams } from "../../test/support/browser/console.ts";
import { startEngineProcess } from "../../test/support/engine/process.ts";
import type { Row } from "../harness.ts";

const DELTAS_PER_SECOND = 50;
const SECONDS = 10;
const FRAME_MS_MAX = 50;
const SECTION =
  "## Part\n\nSome **bold** text with `code`.\n\n- one\n- two\n\n```ts\nlet a = 1;\n```\n\n";
const TEXT_BEFORE_CHARACTERS = 200_000;

/** The longest frame of the chat page while an answer of 200 KB grows, beside the same page at rest. */
export const consoleStreamRow: Row = {
  name: "Console: an answer of 200 KB that grows by 50 deltas a second",
  figure: `longest frame < ${FRAME_MS_MAX} ms`,
  async measure() {
    await using launched = await launchChromium();
    await using engine = await startEngineProcess();
    await using chat = await openChat({ browser: launched.browser, engine });
    const { page, provider } = chat;
    const measured = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    provider.script(streams(textOf(started, measured.promise)));
    await chat.send("Write a long answer");
    await page.locator(".live article").waitFor();
    await started.promise;
    const readWork = await watchWork(page);
    const work = await readWork();
    const ours = await page.evaluate(longestFrame, SECONDS * 1000);
    const workMs = ((await readWork()) - work) / (SECONDS * DELTAS_PER_SECOND);
    measured.resolve();
    await page.locator(".live").waitFor({ state: "detached" });
    const floor = await page.evaluate(longestFrame, SECONDS * 1000);
    return [
      {
        ours: `${ours.toFixed(1)} ms, ${workMs.toFixed(2)} ms of work a delta`,
        floor: `${floor.toFixed(1)} ms at rest`,
        ratio: (ours / floor).toFixed(2),
        reached: ours < FRAME_MS_MAX,
      },
    ];
  },
};

async function* textOf(started: PromiseWithResolvers<void>, measured: Promise<void>) {
  yield SECTION.repeat(Math.ceil(TEXT_BEFORE_CHARACTERS / SECTION.length));
  // The page shows what is there before it is measured.
  await setTimeout(2_000);
  started.resolve();
  let isMeasured = false;
  void measured.then(() => {
    isMeasured = true;
  });
  const pieces = SECTION.match(/.{1,8}/gs) ?? [];
  for (let at = 0; !isMeasured; at += 1) {
    yield pieces[at % pieces.length] ?? "";
    await setTimeout(1000 / DELTAS_PER_SECOND);
  }
}

/** Reads how long the main thread of a page has worked, in milliseconds. */
async function watchWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
}

/** The longest time between two frames of a page. */
function longestFrame(durationMs: number): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let last = startedAt;
    let longest = 0;
    const onFrame = (now: number) => {
      longest = Math.max(longest, now - last);
      last = now;
      if (now - startedAt < durationMs) requestAnimationFrame(onFrame);
      else resolve(longest);
    };
    requestAnimationFrame(onFrame);
  });
}
