import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { wholeNumber } from "../../shared/cli/whole-number.ts";
import type {
  EngineClient,
  RagResult,
  RagRootIndex,
  RagSearch,
  Workspace,
} from "../client/client.ts";
import { isMatch } from "../client/matching-hits.ts";
import type { CommandContext } from "./context.ts";
import { runIndexing } from "./index-run.ts";
import { INDEX_FAILURES_SHOWN_MAX, SEARCH_RESULTS_DEFAULT, SEARCH_RESULTS_MAX } from "./limits.ts";
import { matchingLines } from "./matching-lines.ts";
import { getWorkspace, makeWorkspace, rootsOf } from "./workspace-choice.ts";

const count = (value: number) => value.toLocaleString("en");

/** How many passages a search shows, and how it finds them. */
interface SearchOptions {
  limit: number;
  mode: RagSearch["mode"];
}

/** `index`, `search`. */
export function addRetrievalCommands(program: Command, context: CommandContext): void {
  program
    .command("index")
    .description(
      "Index the folders of a workspace. DIR selects the workspace of that folder and creates it if necessary. " +
        "Ctrl-C cancels the run and keeps what is already indexed.",
    )
    .argument("[dir]", "a folder")
    .option("--workspace <name>", "name or uuid")
    .action((dir: string | undefined, options: { workspace?: string }) =>
      runIndex(context, dir, options),
    );
  program
    .command("search")
    .description(
      "Search the indexed files of a workspace. Default: the workspace of the current folder, else the newest.",
    )
    .argument("<query...>", "words; exact phrases in quotes rank first")
    .option("--workspace <name>", "name or uuid")
    .option(
      "--limit <count>",
      `at most ${SEARCH_RESULTS_MAX}`,
      wholeNumber(1, SEARCH_RESULTS_MAX),
      SEARCH_RESULTS_DEFAULT,
    )
    .addOption(
      new Option("--mode <mode>", "how to search")
        .choices(["hybrid", "keyword", "vector"])
        .default("hybrid"),
    )
    .action(async (words: string[], options: SearchOptions & { workspace?: string }) => {
      await using engine = await context.openEngine();
      const { workspace: name, ...how } = options;
      const workspace = await getWorkspace(engine, { workspace: name }, context);
      await showPassages(context, engine, workspace, { query: words.join(" "), ...how });
    });
}

async function runIndex(
  context: CommandContext,
  dir: string | undefined,
  { workspace: name }: { workspace?: string },
): Promise<void> {
  await using engine = await context.openEngine();
  const wanted = { workspace: name, root: dir };
  const workspace =
    dir === undefined
      ? await getWorkspace(engine, wanted, context)
      : await makeWorkspace(engine, wanted, context);
  const folders = rootsOf(workspace);
  if (folders.length === 0) {
    throw new CommandFailed(
      `The workspace ${workspace.name} has no folders. \`index DIR\` adds one.`,
    );
  }
  context.remark(`Indexing ${workspace.name}: ${folders.join(", ")}`);
  const out = context.out();
  const roots = await runIndexing(context, engine, workspace);
  if (!roots) return context.remark("The index is complete.");
  const value = roots.map((counts) => ({ workspace: workspace.name, ...counts }));
  const lines = roots.map((counts) => `${folders[counts.rootIndex]}: ${countsOf(counts)}`);
  out.entry(value, lines.join("\n"));
  for (const { rootIndex, errors } of roots) {
    if (errors > 0) await showFailures(context, engine, { workspace, rootIndex });
  }
}

/** `12 files indexed, 3 unchanged, 1 could not be read`: what is not nothing. */
function countsOf({ indexed, unchanged, skipped, removed, errors }: RagRootIndex): string {
  const parts = [
    `${count(indexed)} ${indexed === 1 ? "file" : "files"} indexed`,
    ...(unchanged > 0 ? [`${count(unchanged)} unchanged`] : []),
    ...(skipped > 0 ? [`${count(skipped)} skipped because of type or size`] : []),
    ...(removed > 0 ? [`${count(removed)} removed`] : []),
    ...(errors > 0 ? [`${count(errors)} could not be read`] : []),
  ];
  return `${parts.join(", ")}.`;
}

/** Names what could not be read: a count does not say what to do. */
async function showFailures(
  context: CommandContext,
  engine: EngineClient,
  { workspace, rootIndex }: { workspace: Workspace; rootIndex: number },
): Promise<void> {
  const { uuid } = workspace;
  const failures = await engine.retrieval.listIndexingFailures(uuid, { rootIndex }, context);
  for (const { path, reason } of failures.slice(0, INDEX_FAILURES_SHOWN_MAX)) {
    context.remark(`${path}: ${reason}`);
  }
  const left = failures.length - INDEX_FAILURES_SHOWN_MAX;
  if (left > 0) context.remark(`… and ${left} more that could not be read.`);
}

/** Writes the passages of a search; says where nothing fits. @throws EngineError */
export async function showPassages(
  context: CommandContext,
  engine: EngineClient,
  workspace: Workspace,
  asked: SearchOptions & { query: string },
): Promise<void> {
  const input = { ...asked, skipUnavailableRoots: true };
  const results = await engine.retrieval.searchWorkspace(workspace.uuid, input, context);
  const roots = rootsOf(workspace);
  const out = context.out();
  // A program gets everything, with its scores.
  const { mode = "hybrid" } = asked;
  const shown = context.showsText() ? results.filter((hit) => isMatch(hit, mode)) : results;
  for (const result of shown) {
    const root = roots[result.rootIndex] ?? "";
    const text = renderResult(result, { root, query: asked.query });
    out.entry({ workspace: workspace.name, root, ...result }, text);
  }
  if (shown.length > 0) return;
  const { roots: indexes } = await engine.retrieval.getStatus(workspace.uuid, context);
  context.remark(
    indexes.some((index) => index.searchable)
      ? `No results in ${workspace.name}.`
      : `${workspace.name} is not indexed yet. \`index\` indexes it.`,
  );
}

/** Path, lines and score, and the lines of the passage that match, with their numbers. */
function renderResult(
  { path, startLine, endLine, score, content }: RagResult,
  { root, query }: { root: string; query: string },
): string {
  const lines = startLine === null ? "" : `:${startLine}-${endLine ?? startLine}`;
  const shown = matchingLines(content, query).map(({ at, text }) => {
    const number = startLine === null ? "" : `${startLine + at}: `;
    return `    ${number}${text}\n`;
  });
  return `${resolve(root, path)}${lines}  ${score.toFixed(3)}\n${shown.join("")}`;
}
