import assert from "node:assert/strict";
import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { emptyPlace } from "../support/browser/shared.ts";
import { startRpcServer } from "../support/engine/mcp.ts";
import { json } from "../support/http.ts";
import { answerChunks, answerStatus, startProviderServer } from "../support/providers/server.ts";
import { PROVIDER_WIRES } from "../support/providers/wires.ts";
import { untilEqual } from "../support/time.ts";

const CANARY = "sk-console-canary-8b1f";

it("models: a key goes in and never comes out, and the model is tested, edited and deleted", {
  skip: NO_CHROMIUM,
}, async () => {
  await using server = await startProviderServer();
  await using place = await emptyPlace();
  await using opened = await openConsole(place);
  const { page, engine } = opened;
  await engine.call("POST", "/workspaces", { name: "w" });
  // The form closes after the last of its requests.
  const save = async () => {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
  };
  await opened.show("models");
  await page.getByText("No model is connected yet").waitFor();

  await page.getByRole("button", { name: "Connect a model" }).click();
  await page
    .getByRole("combobox", { name: "Provider", exact: true })
    .selectOption("openai-compatible");
  await page.getByText("Still needed: Model, Address").waitFor();
  await page.getByLabel("Address").fill(`${server.url}/v1`);
  const key = page.getByLabel("API key");
  await key.and(page.locator("[type=password][autocomplete=off]")).waitFor();
  await key.fill(CANARY);
  await page.route("**/provider-models", async (route) => {
    const { provider, baseUrl, apiKey } = route.request().postDataJSON();
    assert.deepEqual(
      [provider, baseUrl, apiKey],
      ["openai-compatible", `${server.url}/v1`, CANARY],
    );
    await route.fulfill({
      json: [
        { id: "large", contextWindow: null },
        { id: "tiny", contextWindow: 8192 },
      ],
    });
  });
  await page.getByRole("button", { name: "Show its models" }).click();
  await page.getByRole("button", { name: "tiny 8,192 tokens" }).click();
  await untilEqual(() => page.getByLabel("Model", { exact: true }).inputValue(), "tiny");
  await page.getByText("More settings").click();
  await page.getByLabel("Temperature").fill("0.5");
  await key.press("Enter");
  const model = page.getByRole("article", { name: "tiny" });
  await model.getByText("key stored").waitFor();

  const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;
  server.script(
    answerChunks(wire.contentType, wire.chunks([{ text: "OK" }])),
    answerStatus(401, { error: { message: "No such key." } }),
  );
  await model.getByRole("button", { name: "Test" }).click();
  await model.getByText(/first word after .*, whole answer after/).waitFor();
  assert.equal(server.exchanges[0]?.headers.authorization, `Bearer ${CANARY}`);
  await model.getByRole("button", { name: "Test" }).click();
  await model.getByRole("alert").waitFor();

  await model.getByRole("button", { name: "Change" }).click();
  await untilEqual(() => page.getByLabel("API key").inputValue(), "");
  await page.getByText("More settings").click();
  await untilEqual(() => page.getByLabel("Temperature").inputValue(), "0.5");
  await page.getByLabel("Display name").fill("Tiny one");
  await page.getByLabel("Request headers").fill(`X-Team: ${CANARY}`);
  await save();
  const renamed = page.getByRole("article", { name: "Tiny one" });
  await renamed.getByText("key stored").waitFor();

  const again = renamed.getByRole("button", { name: "Test" });
  await again.click();
  await renamed.getByRole("alert").waitFor();
  assert.equal(server.exchanges.at(-1)?.headers["x-team"], CANARY);
  await renamed.getByRole("button", { name: "Change" }).click();
  await page.getByText("More settings").click();
  await untilEqual(() => page.getByLabel("Request headers").inputValue(), "");
  const shown = await page.evaluate(() => {
    const fields = [...document.querySelectorAll("input, textarea")].map(
      (it) => (it as HTMLInputElement).value,
    );
    return `${document.documentElement.outerHTML} ${fields} ${location.href} ${JSON.stringify({ ...localStorage })}`;
  });
  assert.equal(shown.includes(CANARY), false);
  await page.getByLabel("Remove the stored key and headers").check();
  await save();
  await renamed.getByText("key stored").waitFor({ state: "detached" });
  await again.click();
  await renamed.getByRole("alert").waitFor();
  assert.equal(server.exchanges.at(-1)?.headers["x-team"], undefined);

  await renamed.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No model is connected yet").waitFor();
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

  await opened.show("tools");
  await page.getByRole("button", { name: "Connect a server" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Library");
  await page.getByLabel("Address").fill(`${server.url}/mcp`);
  await page.getByLabel("Request headers").fill(`Authorization: Bearer ${CANARY}`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const card = page.getByRole("article", { name: "Library" });
  await card.getByText("headers stored").waitFor();
  await card.getByRole("button", { name: "Test" }).click();
  await card.getByText("scripted 0, 2 tools").waitFor();
  await card.getByRole("switch", { name: "Use in this workspace" }).click();
  await card.getByText("2 tools", { exact: true }).click();
  await card.getByText("<b>Looks</b> things up.").waitFor();
  const turned = (name: string) => page.getByRole("switch", { name, exact: true, checked: false });
  await card.getByRole("switch", { name: "mcp_library_erase" }).click();
  await turned("mcp_library_erase").waitFor();
  const [record] = await json(await engine.call("GET", "/tool-registry"));
  assert.deepEqual(JSON.parse((await stored()).toolsConfig), {
    mcp: { [record.uuid]: { enabled: true, tools: { erase: false } } },
  });

  await page.getByText("All files of this computer").click();
  await page.getByRole("switch", { name: "delete_path" }).click();
  await turned("delete_path").waitFor();
  await page.getByRole("switch", { name: "All files of this computer" }).click();
  await page.getByRole("switch", { name: "read_file" }).and(page.locator(":disabled")).waitFor();
  assert.deepEqual(JSON.parse((await stored()).toolsConfig).builtin, {
    filesystem: { tools: { delete_path: false }, enabled: false },
  });

  await opened.show("approvals", uuid);
  await page.getByText("Nothing is waiting for you").waitFor();
  await page.getByRole("switch", { name: "Reading asks first" }).click();
  await turned("Reading asks first").waitFor();
  assert.deepEqual(JSON.parse((await stored()).approvalConfig), {
    read: false,
    create: true,
    update: true,
    delete: true,
  });
  assert.equal((await page.content()).includes(CANARY), false);
});
