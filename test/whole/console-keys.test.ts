import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { calls, nameNoChats, openChat, says, targetOf } from "../support/browser/console.ts";
import { sharedPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";

describe("what a workspace is for others", { skip: NO_CHROMIUM }, () => {
  it("a key is made, shown once with lines to paste, named where it asks, and revoked", async () => {
    await using chat = await openChat(await sharedPlace(), { name: "Tea" });
    const { page, provider, engine } = chat;
    const { origin } = targetOf(engine);
    const keysPage = () => chat.show("keys", chat.workspaceUuid);
    await keysPage();
    await page.getByText("No other program has a key").waitFor();
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Program", { exact: true }).fill("Open WebUI");
    await page.getByLabel("Expires").selectOption({ label: "In 30 days" });
    await page.getByRole("checkbox", { name: "Tea", exact: true }).check();
    await page.getByRole("button", { name: "Create key" }).click();
    const made = page.getByRole("dialog", { name: "Key for Open WebUI" });
    const key = String(await made.locator("code").first().textContent());
    assert.match(key, /^rh_[\w-]{43}$/);
    for (const program of ["Open WebUI", "Continue", "aider", "Python", "curl"]) {
      await made.getByRole("tab", { name: program }).click();
      await made.getByRole("tabpanel", { name: program }).getByText(key).waitFor();
      await made.getByRole("tabpanel").getByText(`${origin}/openai/v1`).waitFor();
    }
    await made.getByText('"model": "workspace/Tea"').waitFor();
    await made.getByRole("button", { name: "Close" }).click();
    await made.waitFor({ state: "detached" });
    assert.ok(!(await page.content()).includes(key));
    const row = page.getByRole("list", { name: "Keys" }).getByRole("listitem");
    await row.getByText(/^Models, Workspaces, .*/).waitFor();
    await row.getByText(/^Tea, not used yet, until \d+ \w+ \d{4}$/).waitFor();

    const call = (path: string, body?: object) =>
      fetch(`${origin}/openai/v1${path}`, {
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
      });
    provider.script(
      calls("create_note", { title: "Tea", content: "Green" }),
      says({ text: "Noted" }),
    );
    const messages = [{ role: "user", content: "Note it" }];
    const answered = call("/chat/completions", { model: "workspace/Tea", messages });
    await page.getByRole("link", { name: /^Approvals 1/ }).click();
    const card = page.getByRole("region", { name: "Create note “Tea”?" });
    await card.getByText("Asked by Open WebUI").waitFor();
    await page.getByText(/^In .*, Tea$/).waitFor();
    await card.getByRole("button", { name: "Allow once", disabled: false }).press("Enter");
    assert.equal((await answered).status, 200);
    await page.getByText("Nothing is waiting for you").waitFor();

    await keysPage();
    await row.getByText(/last used now/).waitFor();
    await row.getByRole("button", { name: "Revoke Open WebUI" }).click();
    const asked = page.getByRole("dialog", { name: "Revoke this key?" });
    await asked.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No other program has a key").waitFor();
    assert.equal((await call("/models")).status, 401);
  });

  it("its instructions are sent, and a model names its chats where that is on", async () => {
    await using chat = await openChat(await sharedPlace(), { name: "Tea" });
    const { page, provider, engine, workspaceUuid } = chat;
    await page.getByRole("button", { name: "Workspace: Tea" }).click();
    await page.getByRole("button", { name: "Instructions" }).click();
    const dialog = page.getByRole("dialog", { name: "Instructions for Tea" });
    await dialog.getByRole("textbox").fill("Answer like a pirate.");
    await dialog.getByLabel("Include the AGENTS.md file of each folder").check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(
      await json(await engine.call("GET", `/workspaces/${workspaceUuid}/instructions`)),
      { text: "Answer like a pirate.", useAgentsFile: true },
    );
    await chat.show("models", workspaceUuid);
    await page
      .getByRole("switch", { name: /name a new chat after its first answer/, checked: false })
      .click();
    await page
      .getByRole("switch", { name: /name a new chat after its first answer/, checked: true })
      .waitFor();
    try {
      await chat.show("chat", workspaceUuid);
      provider.script(says({ text: "Aye" }), says({ text: "Green tea for two" }));
      await chat.send("How much tea?");
      await page.getByRole("heading", { name: "Green tea for two", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Green tea for two" }).waitFor();
      assert.ok(JSON.stringify(provider.exchanges[0]?.body).includes("like a pirate"));
    } finally {
      await nameNoChats(engine);
    }
  });
});
