import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import {
  type OpenChat,
  openChat,
  says,
  saysAndGoesOn,
  streams,
} from "../support/browser/console.ts";
import { emptyPlace, sharedBrowser, sharedPlace } from "../support/browser/shared.ts";
import { startEngineProcess } from "../support/engine/process.ts";
import { freePort } from "../support/fake-server.ts";
import { json } from "../support/http.ts";
import { repeats } from "../support/repeats.ts";
import { until, untilEqual } from "../support/time.ts";

const MESSAGES = repeats({ once: 600, long: 5_000 });
const AT_ONCE = 50;

/** Stores messages in a thread, in their order. */
async function store({ engine, workspaceUuid }: OpenChat, count: number): Promise<string> {
  const thread = await json(
    await engine.call("POST", "/threads", { workspaceUuid, title: "Long" }),
  );
  for (let at = 0; at < count; at += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - at) }, async (_, offset) => {
      const content = `Message ${at + offset}`;
      const input = { threadUuid: thread.uuid, role: "assistant", content };
      await json(await engine.call("POST", "/messages", input));
    });
    await Promise.all(batch);
  }
  return thread.uuid;
}

describe("the chat page, live", { skip: NO_CHROMIUM }, () => {
  it("reads a long answer block by block while it streams in", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, provider } = chat;
    const section = "## Part\n\nSome **bold** text.\n\n- one\n- two\n\n";
    const sections = 60;
    const next = Array.from({ length: sections }, () => Promise.withResolvers<void>());
    provider.script(
      streams(
        (async function* () {
          for (const { promise } of next) {
            yield section;
            await promise;
          }
        })(),
      ),
    );
    await chat.send("Long");
    const live = page.locator(".live article");
    for (const [at, { resolve }] of next.entries()) {
      if (at % 20 === 0) await live.locator("h4").nth(at).waitFor();
      if (at === 0) {
        await live.locator("h4").evaluate((heading) => heading.setAttribute("data-first", ""));
      }
      if (at === sections - 1) {
        await live.locator("h4").nth(at).waitFor();
        await live.locator("h4[data-first]").waitFor();
      }
      resolve();
    }
    await page.locator(".live").waitFor({ state: "detached" });
    await untilEqual(() => page.locator("article h4").count(), sections);
  });

  it("shows what became of a turn whose engine was killed, and asks again", async () => {
    const env = { ENGINE_PORT: String(await freePort()) };
    await using killed = await startEngineProcess({ env });
    await using chat = await openChat({ browser: await sharedBrowser(), engine: killed });
    const { page, provider, engine } = chat;
    provider.script(saysAndGoesOn("Before the end"));
    await chat.send("Go");
    await page.locator(".live").getByText("Before the end").waitFor();
    const turn = async () => (await json(await engine.call("GET", "/turns")))[0];
    const { uuid } = await turn();
    await engine.end("SIGKILL");
    const { dataDirectory } = killed;
    await using restarted = await startEngineProcess({ dataDirectory, env });
    assert.equal((await json(await restarted.call("GET", `/turns/${uuid}`))).state, "interrupted");
    // A tab that opens again tells its session to those that wait for one.
    await page.getByRole("dialog", { name: "The engine was restarted" }).waitFor();
    const { url } = await json(await restarted.call("POST", "/console/links"));
    await (await page.context().newPage()).goto(url);
    provider.script(says({ text: "After the start" }));
    // A tab behind another one draws no frames, and its buttons never come to rest.
    await page.bringToFront();
    const outcome = page.getByRole("region", {
      name: "The engine ended before this answer was complete.",
    });
    await outcome.getByRole("button", { name: "Ask again" }).click();
    await page.getByRole("article").getByText("After the start").first().waitFor();
  });

  it("shows what other clients change", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, engine, workspaceUuid } = chat;
    const thread = await json(
      await engine.call("POST", "/threads", { workspaceUuid, title: "From elsewhere" }),
    );
    await page.getByRole("link", { name: "From elsewhere" }).first().click();
    await page.getByText("No messages yet").waitFor();
    const message = { threadUuid: thread.uuid, role: "user", content: "Written elsewhere" };
    await engine.call("POST", "/messages", message);
    await page.getByRole("article").getByText("Written elsewhere").waitFor();
    await engine.call("PUT", `/threads/${thread.uuid}`, { title: "Renamed" });
    await page.getByRole("heading", { name: "Renamed" }).waitFor();
    await page.getByRole("link", { name: "Renamed" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("written");
    const hit = page.getByRole("link", { name: /Renamed.*Written elsewhere/s });
    await hit.locator("mark").getByText("Written", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await engine.call("DELETE", `/threads/${thread.uuid}`);
    await page.getByRole("link", { name: "Renamed" }).waitFor({ state: "detached" });
  });

  it("creates, renames and deletes workspaces, and asks before it deletes", async () => {
    await using place = await emptyPlace();
    await using chat = await openChat(place);
    const { page, engine } = chat;
    const names = async () =>
      (await json(await engine.call("GET", "/workspaces"))).map((it: { name: string }) => it.name);
    const choose = async (current: string, action: string) => {
      await page.getByRole("button", { name: `Workspace: ${current}` }).click();
      await page.getByRole("group").getByText(action, { exact: true }).click();
    };
    const answer = async (button: string, name?: string) => {
      const dialog = page.getByRole("dialog");
      if (name !== undefined) await dialog.getByLabel("Name").fill(name);
      await dialog.getByRole("button", { name: button, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await choose("Chat", "New workspace");
    await answer("Create", "Second");
    await choose("Second", "Rename");
    await answer("Rename", "Renamed");
    await choose("Renamed", "Delete");
    await answer("Cancel");
    assert.deepEqual((await names()).sort(), ["Chat", "Renamed"]);
    await choose("Renamed", "Delete");
    await answer("Delete");
    await page.getByRole("button", { name: "Workspace: Chat" }).waitFor();
    assert.deepEqual(await names(), ["Chat"]);
  });

  it("pins, renames, saves and deletes a chat", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, provider, send } = chat;
    provider.script(says({ text: "**Rye**" }));
    await send("Which flour?");
    await page.locator(".live").waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Today" }).getByRole("link").first().waitFor();
    const choose = async (action: string) => {
      await page.getByRole("button", { name: "This chat" }).click();
      await page.getByRole("group").getByRole("button", { name: action }).click();
    };
    await choose("Pin");
    const listed = page.getByRole("region", { name: "Pinned" }).getByRole("link");
    await listed.filter({ hasText: "Which flour?" }).waitFor();
    await page.reload();
    await listed.dblclick();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Flour");
    await dialog.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("heading", { name: "Flour", exact: true }).waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), choose("Save as Markdown")]);
    assert.equal(file.suggestedFilename(), "Flour.md");
    const text = readFileSync(await file.path(), "utf8");
    assert.match(text, /^# Flour\n\n\*\*You\*\*, .*\n\nWhich flour\?\n\n.*\n\n\*\*Rye\*\*\n/);
    const [record] = await Promise.all([page.waitForEvent("download"), choose("Save as JSON")]);
    assert.equal(record.suggestedFilename(), "Flour.json");
    const saved = JSON.parse(readFileSync(await record.path(), "utf8"));
    assert.equal(saved.thread.title, "Flour");
    assert.deepEqual(
      saved.messages.map((it: { role: string; content: string }) => [it.role, it.content]),
      [
        ["user", "Which flour?"],
        ["assistant", "**Rye**"],
      ],
    );
    assert.deepEqual([saved.turns.length, saved.turns[0].state], [1, "completed"]);
    await choose("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await listed.waitFor({ state: "detached" });
  });

  it("shows the end of many messages first, older ones as they are scrolled to, and stays where it is read", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, engine } = chat;
    const threadUuid = await store(chat, MESSAGES);
    await chat.show("chat", chat.workspaceUuid, threadUuid);
    await page.locator(".entry-row").last().waitFor();
    const box = page.locator(".messages");
    const distance = () =>
      box.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await until("The end of the messages", async () => (await distance()) < 2);
    const before = await page.locator(".entry-row").count();
    assert.ok(before < MESSAGES / 10, `${before} rows`);
    await box.evaluate((element) => element.scrollTo(0, 200));
    await page.waitForFunction(
      (count) => document.querySelectorAll(".entry-row").length > count,
      before,
    );
    await page.getByRole("button", { name: "Newest" }).waitFor();
    // Rows above get their own heights once they are laid out.
    const first = await box.evaluate(async (element) => {
      for (;;) {
        const { scrollTop } = element;
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
        if (element.scrollTop === scrollTop) return scrollTop;
      }
    });
    await engine.call("POST", "/messages", { threadUuid, role: "user", content: "The newest one" });
    await page.getByText("The newest one").waitFor({ state: "attached" });
    assert.ok((await distance()) > 100, "the reader stays");
    assert.ok((await box.evaluate((element) => element.scrollTop)) >= first - 1);
    await page.getByRole("button", { name: "Newest" }).click();
    await page.waitForFunction(() => {
      const element = document.querySelector(".messages");
      return element && element.scrollHeight - element.scrollTop - element.clientHeight < 48;
    });
  });
});
