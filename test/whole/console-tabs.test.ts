import { after, before, describe, it } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { launchWindow, NO_CHROMIUM } from "../support/browser/chromium.ts";
import {
  type OpenChat,
  openChat,
  openConsoleTab,
  streams,
  targetOf,
} from "../support/browser/console.ts";
import { sharedPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";

// A browser opens six connections to one engine, for all its tabs.
const TABS = 8;

describe("in a window of eight tabs", { skip: NO_CHROMIUM }, () => {
  let chat: OpenChat;
  let window: Awaited<ReturnType<typeof launchWindow>>;
  before(async () => {
    chat = await openChat(await sharedPlace());
    window = await launchWindow();
  });
  after(async () => {
    await window?.[Symbol.asyncDispose]();
    await chat[Symbol.asyncDispose]();
  });

  const open = (context: BrowserContext) => openConsoleTab(context, targetOf(chat.engine));
  const listed = (page: Page, name: string) =>
    page.locator(".menu a.item", { hasText: name }).first();

  it("every console works, and hears what changed while it was hidden", async () => {
    const tabs: Page[] = [];
    for (let count = 0; count < TABS; count += 1) {
      const { page, show } = await open(window.context);
      tabs.push(page);
      await show("chat");
      await listed(page, "Chat").waitFor({ state: "attached" });
    }
    await json(await chat.engine.call("POST", "/workspaces", { name: "Made meanwhile" }));
    for (const page of tabs) {
      await page.bringToFront();
      await listed(page, "Made meanwhile").waitFor({ state: "attached" });
    }
    for (const page of tabs) await page.close();
  });

  it("a turn loses no text while its tab is hidden, nor where it ends meanwhile", async () => {
    const pieces = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    chat.provider.script(
      streams(
        (async function* () {
          yield "One, ";
          await pieces[0]?.promise;
          yield "two, ";
          await pieces[1]?.promise;
          yield "three.";
        })(),
      ),
    );
    const { page, show } = await open(window.context);
    const other = await window.context.newPage();
    const hide = async () => {
      const left = page.waitForEvent("requestfailed", (request) =>
        /turns\/[^/]+\/events/.test(request.url()),
      );
      await other.bringToFront();
      await left;
    };
    await page.bringToFront();
    await show("chat", chat.workspaceUuid);
    const field = page.getByLabel("Message", { exact: true });
    await field.fill("Count");
    await field.press("Enter");
    const live = page.locator(".live");
    await live.getByText("One,").waitFor();
    await hide();
    pieces[0]?.resolve();
    await page.bringToFront();
    await live.getByText("One, two,").waitFor();
    await hide();
    pieces[1]?.resolve();
    await turnEnds(chat);
    await page.bringToFront();
    await live.waitFor({ state: "detached" });
    await page.getByRole("article").getByText("One, two, three.", { exact: true }).waitFor();
    await page.getByRole("alert").waitFor({ state: "detached" });
  });
});

/** Resolves once the only turn has ended. */
async function turnEnds({ engine }: OpenChat): Promise<void> {
  const [turn] = await json(await engine.call("GET", "/turns"));
  await (await engine.call("GET", `/turns/${turn.uuid}/events`)).text();
}
