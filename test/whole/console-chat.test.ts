import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { calls, openChat, says, saysAndGoesOn } from "../support/browser/console.ts";
import { sharedPlace } from "../support/browser/shared.ts";
import { startRpcServer } from "../support/engine/mcp.ts";
import { json } from "../support/http.ts";
import { until, untilEqual, WATCHDOG_MS } from "../support/time.ts";

const ALLOWED = '{"create":false,"read":false,"update":false,"delete":false}';

async function createRoot() {
  const path = await mkdtemp(join(tmpdir(), "roundhouse-chat-"));
  await writeFile(join(path, "bread.md"), "# Bread\n\nMix.\nBake at 220.\n");
  return {
    path,
    directories: JSON.stringify([path]),
    read: () => readFile(join(path, "bread.md"), "utf8"),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

describe("the chat page", { skip: NO_CHROMIUM }, () => {
  it("begins a thread, and shows the answer as Markdown with its tool calls", async () => {
    await using root = await createRoot();
    const workspace = { directories: root.directories, approvalConfig: ALLOWED };
    // A new console, which has loaded neither of the two files.
    await using chat = await openChat(await sharedPlace(), workspace, {});
    const { page, provider } = chat;
    provider.script(
      calls("read_workspace_file", { root_index: 0, path: "bread.md" }),
      says({
        text: "It says **220** degrees.\n\n```ts\nlet a;\n```\n\n| a |\n|---|\n| cell |\n\n$$x^2$$ costs $5.",
      }),
    );
    await chat.send("How hot?\nSay it.");
    await page.locator("strong", { hasText: "220" }).waitFor();
    await page.locator("textarea:focus").waitFor();
    await page.getByRole("article", { name: "You" }).getByText("How hot?").waitFor();
    await page.getByRole("cell", { name: "cell" }).waitFor();
    await page.locator(".hljs-keyword", { hasText: "let" }).waitFor();
    await page.locator("math[display=block] msup").waitFor();
    await page.getByText("costs $5.").waitFor();
    const loaded = chat.requests.map((address) => new URL(address).pathname);
    assert.equal(loaded.filter((path) => /\/(highlight|math)\.js$/.test(path)).length, 2);
    await page.locator(".live").waitFor({ state: "detached" });
    const tool = page.locator("details.tool");
    await untilEqual(() => tool.count(), 1);
    const read = /^Read bread\.md in roundhouse-chat-\S+ \d+ ms$/;
    await tool.locator("summary", { hasText: read }).click();
    await tool.getByText("read_workspace_file").waitFor();
    await tool.getByText("Bake at 220.").waitFor();
    const sources = page.getByRole("region", { name: "Sources" });
    await sources.getByRole("button", { name: "1 bread.md 1–4" }).click();
    const beside = page.getByRole("complementary", { name: "Source" });
    await beside.getByText("Bake at 220.").waitFor();
    await untilEqual(() => page.locator(".line.marked").count(), 4);
    await beside.getByRole("button", { name: "Close source" }).click();
    await beside.waitFor({ state: "detached" });
    await page.getByText(/s, \d+ tokens read, \d+ written/).waitFor({ state: "attached" });
    await page.getByRole("link", { name: "How hot?" }).first().waitFor();
    assert.match(page.url(), new RegExp(`#/chat/${chat.workspaceUuid}/[0-9a-f-]{36}$`));
  });

  it("asks before a file is replaced, shows the difference, and does what is decided", async () => {
    await using root = await createRoot();
    await using chat = await openChat(await sharedPlace(), { directories: root.directories });
    const { page, provider } = chat;
    const place = { root_index: 0, path: "bread.md" };
    const content = "# Bread\n\nMix.\nBake at 240.\n";
    provider.script(
      calls("replace_workspace_file", { ...place, content }, "one"),
      calls("edit_workspace_file", { ...place, old_text: "Mix.", new_text: "Stir.\u202e" }, "two"),
      says({ text: "All done" }),
    );
    await chat.send("Hotter");
    const card = page.locator(".approval");
    await card.getByRole("heading", { name: /^Replace bread\.md in roundhouse-chat-/ }).waitFor();
    await card.locator(".removed", { hasText: "Bake at 220." }).waitFor();
    await card.locator(".added", { hasText: "Bake at 240." }).waitFor();
    await page.waitForFunction(() => document.title.startsWith("(1) "));
    await card.getByRole("button", { name: "Allow once", disabled: false }).press("Enter");
    await card.getByRole("heading", { name: /^Change bread\.md in / }).waitFor();
    assert.equal(await root.read(), content);
    await card.locator(".added", { hasText: "Stir.\\u{202e}" }).waitFor();
    await page.getByRole("link", { name: /Hotter.*waits for you/s }).waitFor();
    await card.getByRole("button", { name: "Don't allow" }).click();
    await page.getByRole("article").getByText("All done").first().waitFor();
    assert.equal(await root.read(), content);
    await page.locator('details.tool[data-state="denied"]').waitFor();
    await card.waitFor({ state: "detached" });
  });

  it("takes no press at an approval that has just come, nor the second one of a double click", async () => {
    await using chat = await openChat(await sharedPlace(), {}, {});
    const { page, provider, engine } = chat;
    const note = (title: string) => calls("create_note", { title, content: title }, title);
    provider.script(note("one"), note("two"), says({ text: "Noted" }));
    // Its clock stands still, so that no card has been on the screen for long. The page draws when it moves.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(WATCHDOG_MS);
    await chat.send("Two notes");
    const card = page.locator(".approval");
    const approve = card.getByRole("button", { name: "Allow once" });
    const isEarly = () => approve.getAttribute("aria-disabled");
    const press = (detail: number) =>
      approve.evaluate((button, times) => {
        button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: times }));
      }, detail);
    const waiting = async (title: string) => {
      const found = await json(await engine.call("GET", "/approvals"));
      return (
        String(found.map((each: { arguments: { title: string } }) => each.arguments.title)) ===
        title
      );
    };
    for (const title of ["one", "two"]) {
      const heading = card.getByRole("heading", { name: `Create note “${title}”?` });
      await until(`The card of ${title}`, async () => {
        await page.clock.runFor(20);
        return heading.isVisible();
      });
      await press(1);
      await untilEqual(isEarly, "true", "a card that has just come");
      assert.ok(await waiting(title));
      // The browser tells when the card is on the screen.
      while ((await isEarly()) === "true") await page.clock.runFor(700);
      await press(2);
      await untilEqual(isEarly, "false", "the second press");
      assert.ok(await waiting(title));
      await press(1);
    }
    await page.clock.resume();
    await page.getByRole("article").getByText("Noted").first().waitFor();
  });

  it("answers an approval of a turn of another client", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, provider, engine } = chat;
    const note = { title: "Tea", content: "Green" };
    provider.script(
      says(
        { text: "A note, then." },
        { call: { id: "n", name: "create_note", fragments: [JSON.stringify(note)] } },
      ),
      says({ text: "Noted" }),
    );
    const started = await engine.call("POST", `/workspaces/${chat.workspaceUuid}/turns`, {
      content: "From elsewhere",
    });
    await json(started, 202);
    await page
      .getByRole("link", { name: /From elsewhere.*waits for you/s })
      .first()
      .click();
    // What it asks comes last, below its text.
    await page.locator(".live article", { hasText: "A note, then." }).waitFor();
    await page.locator(".live article ~ .approval").waitFor();
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByRole("article").getByText("Noted").first().waitFor();
    assert.deepEqual(await json(await engine.call("GET", "/approvals")), []);
  });

  it("remembers what is allowed in a chat, lists it, and takes it back", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, provider, workspaceUuid } = chat;
    const note = (title: string) => calls("create_note", { title, content: title }, title);
    provider.script(note("one"), note("two"), says({ text: "Two notes" }));
    await chat.send("Two notes");
    await page.getByRole("button", { name: "Allow in this chat" }).click();
    await page.getByRole("article").getByText("Two notes").last().waitFor();
    await page.locator(".live").waitFor({ state: "detached" });
    await untilEqual(() => page.locator('details.tool[data-state="completed"]').count(), 2);
    await chat.show("approvals", workspaceUuid);
    const granted = page.getByRole("region", { name: "What you allowed" }).getByRole("listitem");
    await granted.getByText("Create note").waitFor();
    await granted.getByText(/last used now/).waitFor();
    await granted.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Nothing yet.").waitFor();
  });

  it("asks again and edits in versions that lie side by side, and goes on in a fork", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, provider } = chat;
    const answer = (text: string) => page.getByRole("article").getByText(text, { exact: true });
    const texts = ["First", "Second", "Third"].map((text) => says({ text }));
    provider.script(...texts);
    await chat.send("Which flour?");
    await answer("First").waitFor();
    await page.getByRole("button", { name: "Ask again" }).click();
    await answer("Second").waitFor();
    await page.getByText("2/2", { exact: true }).waitFor();
    await page.locator(".live").waitFor({ state: "detached" });
    await page.getByLabel("Message", { exact: true }).press("ArrowUp");
    await page.getByLabel("Edited message").fill("Which salt?");
    await page.getByRole("button", { name: "Send", exact: true }).first().click();
    await answer("Third").waitFor();
    await page.getByText("3/3", { exact: true }).waitFor();
    await answer("Which salt?").waitFor();
    await page.getByRole("link", { name: "Previous version" }).click();
    await answer("Second").waitFor();
    await page.getByRole("link", { name: "Previous version" }).click();
    await answer("First").waitFor();
    await page.getByText("1/3", { exact: true }).waitFor();
    const chats = page.getByRole("navigation", { name: "Chats" });
    await untilEqual(() => chats.getByRole("link").count(), 1);
    const before = page.url();
    await page.getByRole("button", { name: "Fork" }).click();
    await page.waitForURL((url) => url.href !== before);
    await answer("First").waitFor();
    await page.getByText("1/3", { exact: true }).waitFor({ state: "detached" });
  });

  it("allows a deletion below its folder alone, and deletes all versions of a chat", async () => {
    await using root = await createRoot();
    const workspace = { directories: root.directories, approvalConfig: '{"read":false}' };
    await using chat = await openChat(await sharedPlace(), workspace);
    const { page, provider, engine, workspaceUuid } = chat;
    provider.script(
      calls("delete_path", { path: join(root.path, "bread.md") }),
      says({ text: "Deleted" }),
      says({ text: "Again" }),
    );
    await chat.send("Delete it");
    const card = page.locator(".approval");
    await card.getByRole("button", { name: "Allow in Chat anywhere in this folder" }).waitFor();
    const everywhere = card.getByRole("button", { name: "Allow in this chat", exact: true });
    await everywhere.waitFor({ state: "detached" });
    await card.getByRole("button", { name: "Allow in this chat anywhere in this folder" }).click();
    await page.getByRole("article").getByText("Deleted", { exact: true }).waitFor();
    await assert.rejects(root.read(), { code: "ENOENT" });
    const threadUuid = new URL(page.url()).hash.split("/")[3];
    const [grant] = await json(
      await engine.call("GET", `/approval-grants?threadUuid=${threadUuid}`),
    );
    assert.deepEqual([grant.match, grant.pathPrefix], ["path", root.path]);
    await page.locator(".live").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("2/2", { exact: true }).waitFor();
    await page.locator(".live").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "This chat" }).click();
    await page.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page
      .getByRole("dialog")
      .getByText(/all their versions/)
      .waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    const left = await json(await engine.call("GET", `/workspaces/${workspaceUuid}/threads`));
    assert.deepEqual(left, []);
  });

  it("names the server of a tool that asks", async () => {
    await using server = await startRpcServer({}, [{ name: "delete" }]);
    const place = await sharedPlace();
    const record = { name: "git_hub", toolType: "mcp", endpointUrl: server.url };
    const { uuid } = await json(await place.engine.call("POST", "/tool-registry", record), 201);
    const toolsConfig = JSON.stringify({ mcp: { [uuid]: { enabled: true } } });
    await using chat = await openChat(place, { toolsConfig });
    const { page, provider } = chat;
    provider.script(calls("mcp_github_delete", {}), says({ text: "Kept" }));
    await chat.send("Delete it");
    await page.getByRole("heading", { name: "Use delete of git_hub?" }).waitFor();
    await page.getByRole("button", { name: "Don't allow" }).click();
    await page.getByRole("article").getByText("Kept").first().waitFor();
  });

  it("cancels a turn by Escape, shows what there is of its text, and asks again", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, provider } = chat;
    provider.script(saysAndGoesOn("Half a **thought**"), says({ text: "A whole one" }));
    await chat.send("Think");
    await page.locator(".live strong", { hasText: "thought" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.keyboard.press("Escape");
    const outcome = page.getByRole("region", { name: "This answer was cancelled." });
    await outcome.locator("strong", { hasText: "thought" }).waitFor();
    await outcome.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("A whole one").waitFor();
    await untilEqual(() => page.getByRole("article", { name: "You" }).count(), 1);
  });

  it("follows a running turn after a reload, with its whole text", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, provider } = chat;
    const go = Promise.withResolvers<void>();
    provider.script(saysAndGoesOn("The beginning", go.promise));
    await chat.send("Tell");
    await page.locator(".live").getByText("The beginning").waitFor();
    await page.reload();
    await page.locator(".live").getByText("The beginning").waitFor();
    go.resolve();
    await page.locator(".live").waitFor({ state: "detached" });
    await untilEqual(() => page.getByText("The beginning").count(), 1);
  });

  it("says what failed in the engine's own words", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, engine } = chat;
    await chat.send("Nothing is scripted");
    const outcome = page.getByRole("region", { name: "This answer failed." });
    await outcome.waitFor();
    const [turn] = await json(await engine.call("GET", "/turns"));
    await outcome.getByText(turn.error).waitFor();
  });
});
