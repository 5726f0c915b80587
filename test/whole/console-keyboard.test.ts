import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
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
import { untilEqual } from "../support/time.ts";

// More than any page has.
const STOPS_MAX = 400;

describe("by the keyboard alone, the console", { skip: NO_CHROMIUM }, () => {
  let live: LiveEngine;
  let browser: Browser;
  let folder: TestFolder;
  let open: ConsoleBrowser;
  let uuid: string;
  before(async () => {
    live = await startLiveEngine();
    browser = await sharedBrowser();
    folder = await fillEngine(live);
    [{ uuid }] = (await (await live.test.call("GET", "/workspaces")).json()) as [{ uuid: string }];
    open = await openConsoleBrowser(browser, {
      origin: `http://127.0.0.1:${live.port}`,
      token: TEST_TOKEN,
    });
  });
  after(async () => {
    await open?.[Symbol.asyncDispose]();
    await live[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  for (const width of [360, 1440]) {
    for (const path of PAGE_PATHS) {
      it(`${path} is walked by Tab in its order, and shows where one is, at ${width} pixels`, async () => {
        const { page } = open;
        await page.setViewportSize({ width, height: 800 });
        // The heading gets the focus where one comes from another page.
        await visitPage(page, path === "chat" ? "models" : "chat");
        await visitPage(page, path);
        await page.locator(`main[data-page=${path}] h1:focus`).waitFor();
        const lists =
          path === "chat" ? [".threads a", "[aria-labelledby=recent] a"] : [".threads a"];
        for (const list of lists) await page.locator(list).first().waitFor({ state: "attached" });
        await beginAnew(page);
        assert.deepEqual(await walk(page), []);
      });
    }
  }

  it("opens dialogs that keep the focus, and give it back", async () => {
    const { page } = open;
    await page.setViewportSize({ width: 1440, height: 800 });
    await visitPage(page, "chat");
    await page.locator(".threads a").first().click();
    const header = page.locator(".thread-header");
    await header.getByRole("button", { name: "This chat" }).waitFor();
    const workspace = page.getByRole("button", { name: /^Workspace:/ });
    const ofMenu = (menu: Locator, name: string) => async () => {
      await menu.press("Enter");
      await page.getByRole("group").getByRole("button", { name, exact: true }).press("Enter");
    };
    const menu = header.getByRole("button", { name: "This chat" });
    const help = page.getByRole("button", { name: "Keyboard shortcuts" });
    for (const [opener, open] of [
      [workspace, ofMenu(workspace, "New workspace")],
      [workspace, ofMenu(workspace, "Rename")],
      [workspace, ofMenu(workspace, "Delete")],
      [menu, ofMenu(menu, "Rename")],
      [menu, ofMenu(menu, "Delete")],
      [help, () => help.press("Enter")],
    ] as const) {
      await open();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      for (let presses = 0; presses < 8; presses += 1) {
        await page.keyboard.press("Tab");
        // Between the last and the first stands the browser's own bar.
        await page.waitForFunction(() => document.activeElement?.matches("dialog *, body"));
      }
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await isFocused(opener);
    }
  });

  it("opens forms with the focus in them, and gives it back", async () => {
    const { page } = open;
    await visitPage(page, "models");
    const card = page.getByRole("article").first();
    const main = page.getByRole("main");
    for (const [opener, leave] of [
      [main.getByRole("button", { name: "Connect a model" }), "Cancel"],
      [card.getByRole("button", { name: "Change" }), "Cancel"],
    ] as const) {
      await opener.press("Enter");
      await page.waitForFunction(() => document.activeElement?.matches("form *") === true);
      await main.getByRole("button", { name: leave }).press("Enter");
      await isFocused(opener);
    }
  });

  it("asks before it deletes, and gives the focus back where nothing is deleted", async () => {
    const { page } = open;
    for (const [path, name] of [
      [["models"], "Delete"],
      [["folders", uuid, "indexing"], "Remove"],
    ] as const) {
      await visitPage(page, ...path);
      const button = page.getByRole("article").first().getByRole("button", { name });
      await button.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await isFocused(button);
    }
  });

  it("has a letter of its own for every page", () => {
    const letters = PAGE_PATHS.map((path) => path[0]);
    assert.equal(new Set(letters).size, PAGE_PATHS.length);
  });

  it("takes its shortcuts where no text is typed, and the search everywhere", async () => {
    const { page } = open;
    await visitPage(page, "folders", uuid, "search");
    const search = page.getByRole("dialog", { name: "Search chats" });
    const field = page.getByLabel("What to search for");
    for (const key of ["f", "Control+g", "g", "x", "f"]) await page.keyboard.press(key);
    await page.keyboard.press("/");
    await isFocused(field);
    for (const key of ["g", "u", "?", "/"]) await page.keyboard.press(key);
    await untilEqual(() => field.inputValue(), "gu?/");
    await page.keyboard.press("Control+k");
    await search.waitFor();
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "detached" });
    await isFocused(field);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement === document.body);
    assert.match(page.url(), /#\/folders\/[^/]+\/search$/);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("goes round its tabs by the arrow keys, and to an edge by Home and End", async () => {
    const { page } = open;
    await visitPage(page, "folders", uuid, "files");
    const tab = (name: string) => page.getByRole("tab", { name, selected: true });
    await page.getByRole("tab", { name: "Files" }).focus();
    for (const [key, name] of [
      ["ArrowRight", "Search"],
      ["ArrowRight", "Indexing"],
      ["ArrowRight", "Files"],
      ["ArrowLeft", "Indexing"],
      ["Home", "Files"],
      ["End", "Indexing"],
      ["x", "Indexing"],
    ] as const) {
      await page.keyboard.press(key);
      await tab(name).waitFor();
      await isFocused(tab(name));
    }
  });

  it("keeps the focus on what was pressed while it is done", async () => {
    const { page } = open;
    await visitPage(page, "models");
    const test = page.getByRole("article").first().getByRole("button", { name: "Test" });
    await test.press("Enter");
    await page.getByRole("article").first().getByRole("alert").waitFor();
    await isFocused(test);
    await visitPage(page, "folders", uuid, "indexing");
    const watch = page.getByRole("article").first().getByLabel("Index changes automatically");
    const was = await watch.isChecked();
    await watch.press("Space");
    await page.waitForFunction(
      ([element, before]) => (element as HTMLInputElement).checked !== before,
      [await watch.elementHandle(), was] as const,
    );
    await isFocused(watch);
  });
});

async function isFocused(locator: Locator): Promise<void> {
  const element = await locator.elementHandle();
  await locator.page().waitForFunction((it) => document.activeElement === it, element);
}

/** The next Tab goes to what is first, as after a reload, which takes a fifth of a second of the processor. */
function beginAnew(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const walked of document.querySelectorAll("[data-walked]")) {
      walked.removeAttribute("data-walked");
    }
    const start = document.createElement("span");
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
    start.remove();
  });
}

/** Presses Tab from the beginning of the page to its end. @returns what is wrong, in sentences. */
async function walk(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    await page.keyboard.press("Tab");
    const fault = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return "end";
      const name = element.outerHTML.slice(0, 100);
      const before = document.querySelector("[data-walked=last]");
      before?.setAttribute("data-walked", "");
      // Where nothing stands between the end and the beginning.
      if (before && element === document.querySelector("[data-walked]")) return "end";
      if (element.hasAttribute("data-walked")) return `twice: ${name}`;
      element.setAttribute("data-walked", "last");
      const position = before?.compareDocumentPosition(element) ?? 4;
      if (!(position & Node.DOCUMENT_POSITION_FOLLOWING)) return `out of order: ${name}`;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      if (outlineStyle === "none" || outlineWidth === "0px") return `no outline: ${name}`;
      const box = element.getBoundingClientRect();
      const top = document.elementFromPoint(
        Math.max(0, box.left) + Math.min(box.width, innerWidth) / 2,
        Math.max(0, box.top) + Math.min(box.height, innerHeight) / 2,
      );
      const isSeen = top !== null && (element.contains(top) || top.contains(element));
      return isSeen ? "" : `not seen: ${name}`;
    });
    if (fault === "end") return [...faults, ...(await missed(page))];
    if (fault !== "") faults.push(fault);
    if (fault.startsWith("twice")) break;
  }
  return [...faults, "it has no end"];
}

/** What takes a press and was not reached. */
function missed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    return [...document.querySelectorAll<HTMLElement>(controls)]
      .filter((it) => it.checkVisibility({ visibilityProperty: true }) && it.tabIndex >= 0)
      .filter((it) => !it.matches(":disabled, [data-walked], input[type=radio]:not(:checked)"))
      .map((it) => `not reached: ${it.outerHTML.slice(0, 100)}`);
  });
}
