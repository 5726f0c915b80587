import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../../house/sources.ts";
import { createTestFolder, type TestFolder } from "../files/roots.ts";
import { json } from "../json.ts";
import { showRoute } from "./console.ts";
import type { LiveEngine } from "./live-engine.ts";

/** The paths of all pages of the console. Its list is a module for browsers, so it is read as text. */
export const PAGE_PATHS: readonly string[] = [
  ...readFileSync(join(ROOT, "engine/console/page/pages.ts"), "utf8").matchAll(/path: "([\w-]+)"/g),
].map(([, path = ""]) => path);

/** Goes to a page by its address, and waits until it is shown and has asked the engine for what it shows. */
export async function visitPage(page: Page, path: string): Promise<void> {
  await showRoute(page, path);
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await page.waitForFunction(
    () => document.querySelector("main progress, [aria-busy=true]") === null,
  );
}

/** Stores something of all that pages show. @returns the folder that is indexed. */
export async function fillEngine({ test }: LiveEngine): Promise<TestFolder> {
  const folder = await createTestFolder({
    notes: { "plan.md": "# Plan\n\nThe zeppelin leaves.\n" },
  });
  const post = async (path: string, body?: unknown) => (await test.call("POST", path, body)).json();
  const { uuid } = (await post("/workspaces", {
    name: "Notes",
    directories: JSON.stringify([folder.at("notes"), folder.at("gone")]),
  })) as { uuid: string };
  await json(await test.call("POST", `/workspaces/${uuid}/rag/roots/0/index`));
  await post("/model-configurations", {
    provider: "openai-compatible",
    model: "m",
    baseUrl: "http://127.0.0.1:9/v1",
  });
  await post("/tool-registry", {
    name: "server",
    toolType: "mcp",
    endpointUrl: "http://127.0.0.1:9/",
  });
  const content =
    "A **plan**:\n\n- one\n- `two`\n\n```ts\nconst x = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  await post(`/workspaces/${uuid}/turns`, { content });
  return folder;
}
