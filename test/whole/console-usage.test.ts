import assert from "node:assert/strict";
import { it } from "node:test";
import type { Page } from "playwright-core";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { emptyPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";
import { answerChunks, startProviderServer } from "../support/providers/server.ts";
import { PROVIDER_WIRES } from "../support/providers/wires.ts";

it("usage: the turns of two models are bars, numbers and dearest threads", {
  skip: NO_CHROMIUM,
}, async () => {
  await using server = await startProviderServer();
  await using place = await emptyPlace();
  await using opened = await openConsole(place);
  const { page, engine } = opened;
  await opened.show("usage");
  await page.getByText("No turn began in these days").waitFor();

  const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;
  const { uuid } = await json(await engine.call("POST", "/workspaces", { name: "w" }));
  const threads: string[] = [];
  const ask = async (model_id: string) => {
    const turn = await json(
      await engine.call("POST", `/workspaces/${uuid}/turns`, { content: "<i>Ask</i>", model_id }),
      202,
    );
    // The stream of its events closes when it is over.
    await (await engine.call("GET", `/turns/${turn.uuid}/events`)).text();
    threads.unshift(turn.threadUuid);
  };
  await ask("echo");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("reported no tokens, so the bars are turns").waitFor();
  assert.equal(await page.getByLabel("Measure").inputValue(), "turns");
  await page.getByRole("img", { name: /turns a day/ }).waitFor();

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
  await engine.call("DELETE", `/threads/${threads[0]}`);

  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("reported no tokens").waitFor({ state: "detached" });
  assert.deepEqual(await page.locator(".totals dd").allTextContents(), ["3", "22", "14", "1"]);
  await page.getByRole("img", { name: /tokens a day/ }).waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: /^Tiny$/ })
    .waitFor();
  await page.getByText("As a table").click();
  // Midnight may fall between two turns: the table may have a second day.
  assert.deepEqual(await sumsOfTable(page), [36, 0, 36]);
  await page.getByText("a deleted thread").waitFor();
  await page.getByRole("link", { name: "<i>Ask</i>" }).first().waitFor();

  await page.getByLabel("Measure").selectOption("turns");
  await page.getByRole("img", { name: /turns a day/ }).waitFor();
  assert.deepEqual(await sumsOfTable(page), [2, 1, 3]);
  const { groups } = await json(await engine.call("GET", "/usage"));
  const counted = (groups as { key: string }[]).map(({ key }) => key);
  assert.deepEqual(await page.locator("tbody th").allTextContents(), counted.sort().reverse());
  await page.getByLabel("Range").selectOption("7");
  await page.getByRole("img", { name: /turns a day/ }).waitFor();
});

/** What the columns of the days' table add up to. */
async function sumsOfTable(page: Page): Promise<number[]> {
  const rows = await page
    .locator("tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent))),
    );
  return rows.reduce((sums, row) => sums.map((sum, at) => sum + (row[at] ?? 0)), [0, 0, 0]);
}
