import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { emptyPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";
import { answerChunks, startProviderServer } from "../support/providers/server.ts";
import { PROVIDER_WIRES } from "../support/providers/wires.ts";
import { untilEqual } from "../support/time.ts";

it("usage: the turns of two models are bars and numbers by day and by model", {
  skip: NO_CHROMIUM,
}, async () => {
  await using server = await startProviderServer();
  await using place = await emptyPlace();
  await using opened = await openConsole(place);
  const { page, engine } = opened;
  const { uuid } = await json(await engine.call("POST", "/workspaces", { name: "w" }));
  await opened.show("usage");
  await page.getByText("No messages in this period").waitFor();

  const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;
  const ask = async (model_id: string) => {
    const turn = await json(
      await engine.call("POST", `/workspaces/${uuid}/turns`, { content: "<i>Ask</i>", model_id }),
      202,
    );
    // The stream of its events closes when it is over.
    await (await engine.call("GET", `/turns/${turn.uuid}/events`)).text();
  };
  await ask("echo");
  await page.getByRole("img", { name: /^answers per day/ }).waitFor();
  await page.getByText("1 of these answers reported no token count.").waitFor();

  const input = {
    provider: wire.provider,
    model: "tiny",
    alias: "Tiny",
    baseUrl: `${server.url}/v1`,
  };
  const model = await json(await engine.call("POST", "/model-configurations", input), 201);
  const answer = () => answerChunks(wire.contentType, wire.chunks([{ text: "Answered." }]));
  server.script(answer(), answer());
  for (const id of [model.id, model.id]) await ask(id);

  await page.getByRole("img", { name: /^tokens per day/ }).waitFor();
  const totals = page.locator(".totals dd");
  await untilEqual(() => totals.allTextContents(), ["3", "22", "14"]);
  const models = page.getByRole("region", { name: "Models" });
  const rows = () =>
    models
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  await untilEqual(rows, [
    ["Tiny", "2", "22", "not reported", "14"],
    ["Echo", "1", "not reported", "not reported", "not reported"],
  ]);
  await models.getByLabel("Day").selectOption({ index: 1 });
  await models.locator("tbody tr").filter({ hasText: "Tiny" }).waitFor();
  await page.getByText("As a table").click();
  // Midnight may fall between two turns: the table may have a second day.
  const { groups } = await json(await engine.call("GET", "/usage"));
  const days = groups.filter((group: { turns: number }) => group.turns > 0).length;
  const table = page.getByRole("region", { name: "Days" });
  await untilEqual(() => table.locator("tbody tr").count(), days);
  await page.getByLabel("Range").selectOption("7");
  await page.getByRole("img", { name: /^tokens per day/ }).waitFor();
});
