import assert from "node:assert/strict";
import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { emptyPlace } from "../support/browser/shared.ts";
import { startRpcServer } from "../support/engine/mcp.ts";
import { json } from "../support/http.ts";
import { answerChunks, answerStatus, startProviderServer } from "../support/providers/server.ts";
import { PROVIDER_WIRES } from "../support/providers/wires.ts";

const CANARY = "sk-console-canary-8b1f";

it("models: a key goes in and never comes out, and the model is tested, edited and deleted", {
  skip: NO_CHROMIUM,
}, async () => {
  await using server = await startProviderServer();
  await using place = await emptyPlace();
  await using opened = await openConsole(place);
  const { page, engine } = opened;
  await opened.show("models");
  await page.getByText("No model is configured yet").waitFor();

  await page.getByRole("button", { name: "Add a model" }).click();
  await page
    .getByRole("combobox", { name: "Provider", exact: true })
    .selectOption("openai-compatible");
  await page.getByText("Still needed: Model, Address").waitFor();
  await page.getByLabel("Model", { exact: true }).fill("tiny");
  await page.getByLabel("Address").fill(`${server.url}/v1`);
  const key = page.getByLabel("API key");
  assert.equal(await key.getAttribute("type"), "password");
  assert.equal(await key.getAttribute("autocomplete"), "off");
  await key.fill(CANARY);
  await key.press("Enter");
  const model = page.getByRole("article", { name: "tiny" });
  await model.getByText("key stored").waitFor();

  const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;
  server.script(
    answerChunks(wire.contentType, wire.chunks([{ text: "OK" }])),
    answerStatus(401, { error: { message: "No such key." } }),
  );
  await model.getByRole("button", { name: "Test" }).click();
  await model.getByText(/first token after .*, whole answer after/).waitFor();
  assert.equal(server.exchanges[0]?.headers.authorization, `Bearer ${CANARY}`);
  await model.getByRole("button", { name: "Test" }).click();
  await model.getByRole("alert").waitFor();

  await model.getByRole("button", { name: "Edit" }).click();
  assert.equal(await page.getByLabel("API key").inputValue(), "");
  await page.getByLabel("Name to show").fill("Tiny one");
  await page.getByRole("button", { name: "Save" }).click();
  const renamed = page.getByRole("article", { name: "Tiny one" });
  await renamed.getByText("key stored").waitFor();

  await renamed.getByRole("button", { name: "Headers" }).click();
  await page.getByLabel("Headers of requests").fill(`X-Team: ${CANARY}`);
  await page.getByRole("button", { name: "Replace headers" }).click();
  await page.getByText("Stored: X-Team").waitFor();
  assert.equal(await page.getByRole("button", { name: "Replace headers" }).isDisabled(), true);
  const shown = await page.evaluate(() => {
    const fields = [...document.querySelectorAll("input, textarea")].map(
      (it) => (it as HTMLInputElement).value,
    );
    return `${document.documentElement.outerHTML} ${fields} ${location.href} ${JSON.stringify({ ...localStorage })}`;
  });
  assert.equal(shown.includes(CANARY), false);
  await renamed.getByRole("button", { name: "Remove all" }).click();
  await renamed.getByRole("group").getByRole("button", { name: "Remove all" }).click();
  await renamed.getByText("No header is stored now.").waitFor();
  assert.equal(await renamed.getByRole("button", { name: "Remove all" }).count(), 0);

  await renamed.getByRole("button", { name: "Delete" }).click();
  await renamed.getByRole("group").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No model is configured yet").waitFor();
  assert.deepEqual(await json(await engine.call("GET", "/model-configurations")), []);
});

it("models: a server is added, tested and switched on, tools are switched, and the policy is chosen", {
  skip: NO_CHROMIUM,
}, async () => {
  await using server = await startRpcServer({}, [
    { name: "lookup", description: "<b>Looks</b> things up." },
    { name: "erase" },
  ]);
  await using place = await emptyPlace();
  await using opened = await openConsole(place);
  const { page, engine } = opened;
  const { uuid } = await json(await engine.call("POST", "/workspaces", { name: "Tools" }));
  const stored = async () => json(await engine.call("GET", `/workspaces/${uuid}`));

  await opened.show("models", "servers");
  await page.getByRole("button", { name: "Add a server" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Library");
  await page.getByLabel("Address").fill(`${server.url}/mcp`);
  await page.getByLabel("Headers of requests").fill(`Authorization: Bearer ${CANARY}`);
  await page.getByRole("button", { name: "Add server" }).click();
  const card = page.getByRole("article", { name: "Library" });
  await card.getByText("headers stored").waitFor();
  await card.getByRole("button", { name: "Test" }).click();
  await card.getByText("scripted 0, 2 tools").waitFor();
  await card.getByRole("checkbox", { name: "Used in this workspace" }).click();
  await card.getByText("ready").waitFor();
  await card.getByText("2 tools", { exact: true }).click();
  await card.getByText("<b>Looks</b> things up.").waitFor();
  const erase = card.getByRole("checkbox", { name: "mcp_library_erase" });
  await erase.click();
  await page
    .getByRole("checkbox", { name: "mcp_library_erase", checked: false })
    .and(page.locator(":enabled"))
    .waitFor();
  const [record] = await json(await engine.call("GET", "/tool-registry"));
  assert.deepEqual(JSON.parse((await stored()).toolsConfig), {
    mcp: { [record.uuid]: { enabled: true, tools: { erase: false } } },
  });

  await opened.show("models", "tools", uuid);
  await page.getByRole("checkbox", { name: "delete_path" }).click();
  await page
    .getByRole("checkbox", { name: "delete_path", checked: false })
    .and(page.locator(":enabled"))
    .waitFor();
  await page.getByRole("checkbox", { name: "filesystem", exact: true }).click();
  await page.getByRole("checkbox", { name: "read_file" }).and(page.locator(":disabled")).waitFor();
  assert.deepEqual(JSON.parse((await stored()).toolsConfig).builtin, {
    filesystem: { tools: { delete_path: false }, enabled: false },
  });

  await opened.show("models", "approvals", uuid);
  await page
    .getByRole("row", { name: /^Library/ })
    .getByText("asks · 2")
    .waitFor();
  await page.getByLabel("read").selectOption("allow");
  await page.getByRole("row", { name: /^todo/ }).getByText("allowed · 1").waitFor();
  assert.deepEqual(JSON.parse((await stored()).approvalConfig), {
    read: false,
    create: true,
    update: true,
    delete: true,
  });
  assert.equal((await page.content()).includes(CANARY), false);
});
