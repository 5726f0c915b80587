import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { json } from "../support/http.ts";

it("activity: requests, changes and turn events come as they happen, and a copied request has no token", {
  skip: NO_CHROMIUM,
}, async () => {
  await using opened = await openConsole();
  const { page, engine } = opened;
  const { token } = engine.runtime;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await opened.show("activity");
  const created = await json(await engine.call("POST", "/workspaces", { name: "Elsewhere" }));
  const change = page.getByRole("listitem").filter({ hasText: "workspace.created" });
  await change.getByText("workspace.created").click();
  await change.getByText(created.uuid).waitFor();

  await engine.call("POST", `/workspaces/${created.uuid}/turns`, { content: "Hello there" });
  await page.getByText("run.completed", { exact: true }).waitFor();

  await page.getByRole("searchbox").fill("changes");
  const request = page.getByRole("listitem").filter({ hasText: "GET /api/v1/changes" }).first();
  await request.getByText("GET /api/v1/changes").click();
  await request.getByRole("button", { name: "Copy as curl" }).click();
  await request.getByText("Copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied.includes(token), false);
  const health = copied.replace("/changes", "/workspaces");
  const answer = execFileSync("sh", ["-c", health], { env: { ...process.env, TOKEN: token } });
  assert.equal(JSON.parse(String(answer))[0].name, "Elsewhere");

  await page.getByRole("searchbox").fill("thread.deleted");
  await page.getByText("Nothing fits the filter").waitFor();
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "Pause" }).click();
  await engine.call("POST", "/workspaces", { name: "While it waits" });
  const goOn = page.getByRole("button", { name: /Go on \([1-9]\d* new\)/ });
  await goOn.waitFor();
  assert.equal(await page.getByText("workspace.created").count(), 1);
  await goOn.click();
  await page.getByText("workspace.created").nth(1).waitFor();
  await page.getByRole("checkbox", { name: "Changes" }).uncheck();
  assert.equal(await page.getByText("workspace.created").count(), 0);
  assert.equal((await page.content()).includes(token), false);
});
