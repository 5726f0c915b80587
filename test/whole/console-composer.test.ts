import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { KIB } from "../../shared/units.ts";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { type OpenChat, openChat, says } from "../support/browser/console.ts";
import { sharedPlace } from "../support/browser/shared.ts";
import { createTestFolder } from "../support/engine/files.ts";
import { json } from "../support/http.ts";
import { untilEqual } from "../support/time.ts";

const MIB = KIB * KIB;

describe("where a message is written", { skip: NO_CHROMIUM }, () => {
  it("files are chosen, pasted, dropped and taken away, and go with the message and the chat", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page } = chat;
    await choose(page, file("one.md"), file("two"));
    // The same one again, as it may be after it was taken away.
    await page.getByRole("button", { name: "Remove one.md" }).press("Enter");
    await choose(page, file("one.md"));
    await give(page, "paste", "three.txt");
    await give(page, "drop", "four.txt");
    const list = page.locator(".composer .attachments li");
    const names = async () => (await list.allTextContents()).map((text) => text.split(" ")[0]);
    await untilEqual(names, ["two", "one.md", "three.txt", "four.txt"]);
    await list.first().getByText("14 bytes").waitFor();
    const sent = await sendAndRead(chat, "What do they say?");
    // Of a file without an ending the type is what the browser says.
    for (const name of ["one.md", "two", "three.txt", "four.txt"]) {
      assert.ok(sent.includes(contentOf(name)), name);
    }
    await list.first().waitFor({ state: "detached" });
    const next = await sendAndRead(chat, "And now?");
    assert.ok(next.includes(contentOf("two")), "a later turn has them, too");
  });

  it("files that the engine would refuse are named before the message is sent, and nothing is lost", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page } = chat;
    const send = (disabled: boolean) =>
      page.getByRole("button", { name: "Send", disabled }).waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Read these");
    await choose(page, { ...file("large.txt"), buffer: Buffer.alloc(2 * MIB + 1) });
    await page.getByText("large.txt is larger than 2 MiB.").waitFor();
    await send(true);
    await page.getByRole("button", { name: "Remove large.txt" }).click();
    await choose(page, ...["1", "2", "3", "4", "5", "6"].map((name) => file(name)));
    await page.getByText("A message can have at most 5 files.").waitFor();
    await send(true);
    await page.getByRole("button", { name: "Remove 6" }).click();
    await send(false);
    await holds(page.getByLabel("Message", { exact: true }), "Read these");
  });

  it("a message names a file or a folder by @, and keeps what was typed over a reload", async () => {
    const files = { recipes: { "bread.md": "Bake at 220." }, "tea.md": "" };
    await using folder = await createTestFolder(files);
    await using chat = await openChat(await sharedPlace(), {
      directories: JSON.stringify([folder.path]),
    });
    const { page, provider } = chat;
    const field = page.getByLabel("Message", { exact: true });
    await field.pressSequentially("Look at @brea");
    await page.getByRole("option", { name: "bread.md recipes/bread.md" }).waitFor();
    await field.press("Enter");
    await holds(field, "Look at @recipes/bread.md ");
    await field.pressSequentially("and @");
    await page.getByRole("option", { name: "tea.md" }).waitFor();
    await field.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await page.reload();
    await holds(field, "Look at @recipes/bread.md and @");
    await field.fill("");
    await field.pressSequentially("Read @bread");
    await page.getByRole("option", { name: "bread.md" }).click();
    await field.pressSequentially("of @reci");
    await page.getByRole("option", { name: "recipes recipes/" }).waitFor();
    await field.press("Enter");
    await holds(field, "Read @recipes/bread.md of @recipes/ ");
    provider.script(says({ text: "Done" }));
    await field.press("Enter");
    await page.getByRole("article").getByText("Done", { exact: true }).waitFor();
    const [turn] = provider.exchanges.slice(-1);
    assert.ok(JSON.stringify(turn?.body).includes("recipes/bread.md"));
    await holds(field, "");
  });

  it("a message says how much is thought, and its answer what was thought and sent", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, provider } = chat;
    provider.script(async (exchange) => {
      exchange.head(200, { "content-type": "text/event-stream" });
      for (const delta of [{ reasoning_content: "Hot, surely." }, { content: "220 degrees" }]) {
        await exchange.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
      }
      await exchange.write("data: [DONE]\n\n");
      exchange.end();
    });
    await page.getByLabel("Thinking").selectOption({ label: "High thinking" });
    await chat.send("How hot?");
    await page.locator(".live").waitFor({ state: "detached" });
    const answer = page.getByRole("article", { name: "Assistant" });
    await answer.getByText("220 degrees").waitFor();
    assert.equal(provider.exchanges[0]?.body.reasoning_effort, "high");
    const thought = answer.getByText("Hot, surely.");
    await thought.waitFor({ state: "hidden" });
    await answer.getByText("Thoughts").click();
    await thought.waitFor();
    await page.getByRole("button", { name: /^Context window \d+% full$/ }).click();
    const sent = page.getByRole("group", { name: /^Context window/ });
    await sent.getByText("Question").waitFor();
    await sent.getByText(/^About [\d,]+ of 32,768 tokens/).waitFor();
  });

  it("a message goes to the model that is chosen, and stays with it in its thread", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page, engine, provider } = chat;
    const [first] = await json(await engine.call("GET", "/model-configurations"));
    const { provider: kind, baseUrl } = first;
    const other = { provider: kind, baseUrl, model: "other", alias: "The other one" };
    await json(await engine.call("POST", "/model-configurations", other), 201);
    await page.reload();
    const choice = page.getByLabel("Model", { exact: true });
    await choice.locator("option", { hasText: "The other one" }).waitFor({ state: "attached" });
    await holds(choice, first.id);
    await sendAndRead(chat, "One");
    await choice.selectOption({ label: "The other one" });
    await sendAndRead(chat, "Two");
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await choice.selectOption({ label: "The other one" });
    await sendAndRead(chat, "Three");
    await sendAndRead(chat, "Four");
    assert.deepEqual(
      provider.exchanges.map(({ body }) => body.model),
      ["scripted", "other", "other", "other"],
    );
  });
});

/** Waits until a field has this value. */
const holds = (field: Locator, value: string) => untilEqual(() => field.inputValue(), value);

const contentOf = (name: string) => `It says ${name}.`.padEnd(14);

function file(name: string) {
  return { name, mimeType: "text/plain", buffer: Buffer.from(contentOf(name)) };
}

async function choose(page: Page, ...files: ReturnType<typeof file>[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Attach files" }).press("Enter"),
  ]);
  await chooser.setFiles(files);
}

/** Pastes or drops a file, as another program gives it. */
async function give(page: Page, how: "paste" | "drop", name: string): Promise<void> {
  const field = page.getByLabel("Message", { exact: true });
  await field.evaluate(
    (element, [type, fileName, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], fileName, { type: "text/plain" }));
      const init = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        type === "paste"
          ? new ClipboardEvent(type, { ...init, clipboardData: data })
          : new DragEvent(type, { ...init, dataTransfer: data }),
      );
    },
    [how, name, contentOf(name)] as const,
  );
}

/** Sends a message, and waits for its answer. @returns all that the model was sent, with what was in base64 as text. */
async function sendAndRead(chat: OpenChat, text: string): Promise<string> {
  const { page, provider } = chat;
  const answer = `Answer to ${text}`;
  provider.script(says({ text: answer }));
  await chat.send(text);
  await page.getByRole("article").getByText(answer, { exact: true }).waitFor();
  await page.locator(".live").waitFor({ state: "detached" });
  const sent = JSON.stringify(provider.exchanges.at(-1)?.body);
  const encoded = [...sent.matchAll(/[A-Za-z0-9+/]{12,}={0,2}/g)].map(([it]) =>
    Buffer.from(it, "base64"),
  );
  return [sent, ...encoded].join("\n");
}
