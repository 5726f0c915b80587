import assert from "node:assert/strict";
import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole, says } from "../support/browser/console.ts";
import { emptyPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";
import { startProviderServer } from "../support/providers/server.ts";

it("a chat says that echo is echo, and asks a model as soon as there is one", {
  skip: NO_CHROMIUM,
}, async () => {
  await using server = await startProviderServer();
  await using place = await emptyPlace();
  await using opened = await openConsole(place);
  const { page, engine } = opened;
  const { uuid } = await json(await engine.call("POST", "/workspaces", { name: "w" }));
  const ask = async (text: string) => {
    const field = page.getByLabel("Message", { exact: true });
    await field.fill(text);
    await field.press("Enter");
  };
  const shown = (text: string | RegExp) =>
    page.getByLabel("Model", { exact: true }).locator("option", { hasText: text });
  await opened.show("chat", uuid);
  await shown("Echo: no model is connected").waitFor({ state: "attached" });
  await ask("Who are you?");
  await page.getByText("No model is connected. This is your own text.").waitFor();
  await page.getByRole("note").getByRole("link", { name: "Connect a model" }).click();

  // One that another client made is no default; it answers, since the page names it.
  const at = { provider: "openai-compatible", baseUrl: `${server.url}/v1` };
  const input = { ...at, model: "oldest" };
  const oldest = await json(await engine.call("POST", "/model-configurations", input), 201);
  const { promise: listed, resolve: list } = Promise.withResolvers<void>();
  await page.route("**/api/v1/models", async (request) => {
    await listed;
    await request.continue();
  });
  await opened.show("chat", uuid);
  server.script(says({ text: "I am the oldest." }));
  // Sent before the page knows the models.
  await ask("And now?");
  list();
  await page.getByText("I am the oldest.").waitFor();
  assert.equal(server.exchanges[0]?.body.model, "oldest");
  await opened.show("chat", uuid);
  await shown("oldest (connected first)").waitFor({ state: "attached" });

  await opened.show("models");
  await page.getByRole("button", { name: "Connect a model" }).click();
  const kind = page.getByRole("combobox", { name: "Provider", exact: true });
  await kind.selectOption("openai-compatible");
  await page.getByLabel("Model", { exact: true }).fill("added");
  await page.getByLabel("Address").fill(at.baseUrl);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const added = page.getByRole("article", { name: "added" });
  await added.getByText("Default", { exact: true }).waitFor();
  const setting = async () => (await json(await engine.call("GET", "/settings")))[0].value;
  assert.notEqual(await setting(), oldest.id);
  await opened.show("chat", uuid);
  await shown("added (default)").waitFor({ state: "attached" });

  await opened.show("models");
  const first = page.getByRole("article", { name: "oldest" });
  await first.getByRole("button", { name: "Make default" }).click();
  await first.getByText("Default", { exact: true }).waitFor();
  assert.equal(await setting(), oldest.id);
});
