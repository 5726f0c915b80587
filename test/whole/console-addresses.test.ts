import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { sharedPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";

const NO_UUID = "00000000-0000-4000-8000-000000000000";

it("addresses: what is not there is said, and there is a way on", {
  skip: NO_CHROMIUM,
}, async () => {
  await using opened = await openConsole(await sharedPlace());
  const { page, engine, show } = opened;
  const [first] = await json(await engine.call("GET", "/workspaces"));
  const { uuid } = first ?? (await json(await engine.call("POST", "/workspaces", { name: "One" })));

  for (const unknown of [NO_UUID, "no uuid"]) {
    for (const path of [["folders"], ["chat"], ["tools"]]) {
      await show(...path, unknown);
      await page.getByText("Workspace not found").waitFor();
      await page.getByRole("link", { name: "Open another workspace" }).click();
      await page.getByRole("button", { name: /^Workspace: (?!none)/ }).waitFor();
      await page.getByText("Workspace not found").waitFor({ state: "detached" });
    }
    await show("chat", uuid, unknown);
    await page.getByRole("heading", { name: "Chat not found" }).waitFor();
    await page.getByRole("link", { name: "Start a new chat" }).click();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
  }

  await show("nonsense");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("link", { name: "Open the first page" }).click();
  await page
    .getByRole("link", { name: "New chat", exact: true })
    .and(page.locator("[aria-current]"))
    .waitFor();
});

it("addresses: a workspace that is new is shown, and one that is deleted meanwhile is no other one", {
  skip: NO_CHROMIUM,
}, async () => {
  await using opened = await openConsole(await sharedPlace());
  const { page, engine, show } = opened;
  for (const name of ["First", "Second"]) {
    const { uuid } = await json(await engine.call("POST", "/workspaces", { name }));
    await show("folders", uuid);
    await page.getByRole("button", { name: `Workspace: ${name}` }).waitFor();
    if (name === "First") continue;
    await engine.call("DELETE", `/workspaces/${uuid}`);
    await page.getByText("Workspace not found").waitFor();
  }
});
