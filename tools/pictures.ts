// `npm run pictures`: writes the pictures of the README, `docs/console-{light,dark}.png`, from a running engine. Its model is
// scripted, its folder made up; the console, the index, the search and the sources are real.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { connect } from "../engine/client/node.ts";
import { launchChromium } from "../test/support/browser/chromium.ts";
import { calls, openConsoleBrowser, says, targetOf } from "../test/support/browser/console.ts";
import { type EngineProcess, startEngineProcess } from "../test/support/engine/process.ts";
import { type ProviderServer, startProviderServer } from "../test/support/providers/server.ts";

const OUT = join(import.meta.dirname, "../docs");
const SIZE = { width: 1280, height: 720 };

const FILES = {
  "seasons.md": `# The year in the garden

## Spring

Sow peas and broad beans as soon as the soil is no longer wet. Cover them with fleece until the middle of April.

## Summer

Water in the morning, at the roots. Tomatoes want two litres a day in July, and mulch of straw.

## Autumn

Plant garlic in October, five centimetres deep. Lift the dahlias after the first frost.
`,
  "beds.md": `# Beds

| bed | last year | this year |
|---|---|---|
| north | potatoes | beans, then garlic |
| south | beans | tomatoes, basil |
| wall | garlic | peas, lettuce |

Nothing follows itself: four years pass before a family returns to its bed.
`,
  "harvest.md": `# Harvest

Garlic is ready when half of the leaves are yellow, mostly in the second week of July. Dry it for three weeks in the shade.

Tomatoes: 31 kg from eight plants. The best was the row beside the basil.
`,
};

const EARLIER = ["Which seeds are left?", "Plan the compost heap", "Why do peas turn yellow?"];
const QUESTION = "Which bed is for garlic, and when do I plant it?";
const ANSWER = `Garlic goes into the **north bed**, after the beans. Last year it stood at the wall, and a family returns to its bed after four years.

| what | when | how |
|---|---|---|
| Plant | October | five centimetres deep |
| Lift | second week of July | when half of the leaves are yellow |
| Dry | three weeks | in the shade |`;

const folder = mkdtempSync(join(tmpdir(), "roundhouse-pictures-"));
try {
  await using engine = await startEngineProcess();
  await using provider = await startProviderServer();
  await using chromium = await launchChromium();
  const route = await makeScene(engine, provider);
  for (const colorScheme of ["light", "dark"] as const) {
    await takePicture(chromium.browser, engine, route, colorScheme);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** A workspace with an indexed folder, conversations, and an answer from its files. Returns the route of that answer. */
async function makeScene(engine: EngineProcess, provider: ProviderServer): Promise<string[]> {
  const garden = join(folder, "garden");
  mkdirSync(garden);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(garden, name), text);
  await using client = await connect({ dataDirectory: engine.dataDirectory });
  const { id: defaultModelId } = await client.models.createConfiguration({
    provider: "openai-compatible",
    model: "llama3.2",
    alias: "Llama 3.2",
    baseUrl: `${provider.url}/v1`,
    contextWindow: 32_768,
  });
  const { uuid: workspaceUuid } = await client.workspaces.create({
    name: "Garden",
    directories: [garden],
    defaultModelId,
    approvalConfig: { read: false },
  });
  await client.retrieval.indexWorkspace(workspaceUuid);
  for (const content of EARLIER) {
    provider.script(says({ text: "See seasons.md." }));
    await client.chat({ workspaceUuid, content });
  }
  provider.script(
    calls("search_workspace_index", { query: "garlic: bed, plant, lift" }),
    calls("read_workspace_file", { root_index: 0, path: "beds.md" }),
    says({ text: ANSWER }),
  );
  const { threadUuid } = await client.chat({ workspaceUuid, content: QUESTION });
  return ["chat", workspaceUuid, threadUuid];
}

async function takePicture(
  browser: Browser,
  engine: EngineProcess,
  route: readonly string[],
  colorScheme: "light" | "dark",
): Promise<void> {
  const options = { viewport: SIZE, colorScheme, reducedMotion: "reduce" as const };
  await using console = await openConsoleBrowser(browser, targetOf(engine), options);
  await console.show(...route);
  await console.page.getByRole("cell", { name: "in the shade" }).waitFor();
  await console.page.getByLabel("Sources").getByText("beds.md").click();
  await console.page.locator(".line.marked").first().waitFor();
  await console.page.screenshot({ path: join(OUT, `console-${colorScheme}.png`) });
}
