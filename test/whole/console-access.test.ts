import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { axeFaults, looksAt } from "../support/browser/axe.ts";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import {
  calls,
  type OpenChat,
  openChat,
  PAGE_PATHS,
  says,
  visitPage,
} from "../support/browser/console.ts";
import { sharedPlace } from "../support/browser/shared.ts";
import { createTestFolder } from "../support/engine/files.ts";
import { isLongRun } from "../support/repeats.ts";

const TARGET_PIXELS = 44;
const ANSWER =
  "# Tea\n\n- [x] green\n- **black**\n\n> quoted\n\n```ts\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[A link](https://example.org) and $x^2$.";

describe("a chat with messages, tool calls, versions and an approval", {
  skip: NO_CHROMIUM,
}, () => {
  it("has no fault of accessibility at 1280 and 390 pixels, light and dark, with its menus open", async () => {
    await using folder = await createTestFolder({ "tea.md": "Green tea.\n" });
    const workspace = {
      directories: JSON.stringify([folder.path]),
      approvalConfig: '{"read":false}',
    };
    await using chat = await openChat(await sharedPlace(), workspace, {
      bypassCSP: true,
      reducedMotion: "reduce",
    });
    const { page } = chat;
    await fillChat(chat);
    const found: string[] = [];
    for (const { width, colorScheme, only } of looksAt(1280, 390, { pairs: isLongRun })) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const look = async (what: string, without: string[] = []) =>
        found.push(
          ...(await axeFaults(page, { only, without })).map(
            (it) => `${width} ${colorScheme} ${what}: ${it}`,
          ),
        );
      await look("the chat");
      for (const menu of [/^This chat$/, /^Context window \d+% full$/, /^Workspace: /]) {
        const isInSideBar = width < 800 && String(menu).includes("Workspace");
        if (isInSideBar) await openSideBar(page);
        await page.getByRole("button", { name: menu }).click();
        await page.locator(".menu:popover-open").waitFor();
        // The side bar stands in the place of the page there.
        await look(String(menu), isInSideBar ? ["landmark-one-main", "page-has-heading-one"] : []);
        await page.keyboard.press("Escape");
        await page.locator(".menu:popover-open").waitFor({ state: "hidden" });
      }
      if (width < 800) await openSideBar(page);
    }
    assert.deepEqual(found, []);
  });

  it("and every page have targets of 44 pixels where a finger points", async () => {
    await using folder = await createTestFolder({
      notes: { "a.md": "" },
      "tea.md": "Green tea.\n",
    });
    const workspace = {
      directories: JSON.stringify([folder.path]),
      approvalConfig: '{"read":false}',
    };
    const touch = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
    await using chat = await openChat(await sharedPlace(), workspace, touch);
    const { page, workspaceUuid } = chat;
    await fillChat(chat);
    const found = [...(await smallTargets(page, "chat"))];
    await openSideBar(page);
    found.push(...(await smallTargets(page, "side bar")));
    for (const path of PAGE_PATHS) {
      await visitPage(page, path, workspaceUuid);
      found.push(...(await smallTargets(page, path)));
    }
    assert.deepEqual(found, []);
  });
});

/** An answer with a version and sources, then a call that asks. */
async function fillChat({ page, provider, send }: OpenChat): Promise<void> {
  provider.script(
    calls("read_workspace_file", { root_index: 0, path: "tea.md" }),
    says({ text: "First" }),
    says({ text: ANSWER }),
    calls("create_note", { title: "Tea", content: "Green" }),
  );
  await send("Which tea?");
  await page.getByRole("button", { name: /tea\.md/ }).waitFor();
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByText("2/2", { exact: true }).waitFor();
  await page.locator(".hljs-keyword").waitFor();
  await page.locator("math msup").waitFor();
  await page.locator(".live").waitFor({ state: "detached" });
  await send("Note it");
  await page.getByRole("button", { name: "Allow once", disabled: false }).waitFor();
}

/** Opens or closes it in a narrow window. */
async function openSideBar(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Workspace, pages and chats" }).click();
}

/** What can be pressed, is shown, and is smaller than a finger. Links in a text are not counted. */
function smallTargets(page: Page, where: string): Promise<string[]> {
  return page.evaluate(
    ([name, least]) =>
      [...document.querySelectorAll("button, a[class], select, summary, label, textarea, input")]
        .filter((it) => !it.matches("label input, [hidden]") && it.checkVisibility())
        .map((it) => ({ it, box: it.getBoundingClientRect() }))
        // What is moved out of sight appears with the focus.
        .filter(({ box }) => box.bottom > 0 && (box.height < least || box.width < least))
        .map(
          ({ it, box }) =>
            `${name}: ${it.tagName} ${it.className} ${it.textContent} ${box.width} ${box.height}`,
        ),
    [where, TARGET_PIXELS - 0.5] as const,
  );
}
