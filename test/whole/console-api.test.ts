import assert from "node:assert/strict";
import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { json } from "../support/http.ts";

it("api: an operation is found, read, copied and sent; a mutation asks first", {
  skip: NO_CHROMIUM,
}, async () => {
  await using opened = await openConsole();
  const { page, engine } = opened;
  const { token } = engine.runtime;
  await opened.show("api");
  await page.getByText("Choose an operation").waitFor();
  await page.getByRole("searchbox").fill("create a workspace");
  await page.getByRole("link", { name: "Create a workspace" }).press("Enter");
  const body = page.getByLabel("Body, JSON");
  assert.equal(JSON.parse(await body.inputValue()).directories, '["/home/ada/notes"]');

  await body.fill("{");
  await page.getByText("The body is no JSON.").waitFor();
  const send = page.getByRole("button", { name: "Send", exact: true });
  assert.equal(await send.isDisabled(), true);
  await body.fill('{"name": "<u>From</u> the \'page\'"}');
  await page.getByRole("region", { name: "curl" }).getByText("-X 'POST'").waitFor();
  await page
    .getByRole("region", { name: "Client" })
    .getByText("engine.workspaces.create({")
    .waitFor();
  await send.click();
  const question = page.getByRole("group", { name: "Send POST to this engine?" });
  await question.getByRole("button", { name: "Do not send" }).click();
  assert.deepEqual(await json(await engine.call("GET", "/workspaces")), []);
  await send.click();
  await question.getByRole("button", { name: "Send", exact: true }).click();
  const response = page.getByRole("region", { name: "Response" });
  await response.getByText("200 OK").waitFor();
  await response.getByText("<u>From</u> the 'page'").waitFor();
  const [workspace] = await json(await engine.call("GET", "/workspaces"));
  assert.equal(workspace.name, "<u>From</u> the 'page'");
  await page.getByRole("region", { name: "Fields of Body" }).getByText("defaultModelId").waitFor();

  await opened.show("api", "getWorkspace");
  await page.getByText("Fill in uuid.").waitFor();
  await page.getByLabel("uuid").fill("nowhere");
  await send.click();
  await response.getByText("404 Not Found").waitFor();

  await opened.show("api", "loginAccount");
  await send.click();
  await page.getByRole("button", { name: "Send", exact: true }).last().click();
  await response.getByRole("status").waitFor();

  await opened.show("api", "streamChanges");
  await send.click();
  await response.getByText("200 OK").waitFor();
  await engine.call("POST", "/workspaces", { name: "Second" });
  await response.getByText("event: workspace.created").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });

  await opened.show("api", "openEvents");
  await page.getByText("This opens a WebSocket").waitFor();
  assert.equal((await page.content()).includes(token), false);
});
