import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { toPrintable } from "../../shared/cli/printable.ts";
import { systemClock, toIsoTime } from "../../shared/clock.ts";
import { makePrivateFile } from "../../shared/node/private-file.ts";
import type { CommandContext } from "./context.ts";
import { createProgressBar } from "./progress-bar.ts";

/** `export`, `import`. */
export function addTransferCommands(program: Command, context: CommandContext): void {
  program
    .command("export")
    .description("Write workspaces, threads and messages to a new file, or to standard output.")
    .argument("[file]", "a new file that only you can read")
    .addOption(
      new Option("--format <format>", "JSON Lines, or a document to read")
        .choices(["jsonl", "markdown"])
        .default("jsonl"),
    )
    .action((file: string | undefined, { format }: { format: string }) =>
      runExport(context, file, format),
    );
  program
    .command("import")
    .description(
      "Import conversations into new workspaces, from a file of `export` or ChatGPT's conversations.json. " +
        "Folders and permissions are not imported. If anything fails, nothing is imported.",
    )
    .argument("<file>", "the file")
    .option("--dry-run", "count its contents without importing them")
    .action((file: string, options: { dryRun?: boolean }) => runImport(context, file, options));
}

async function runExport(
  context: CommandContext,
  file: string | undefined,
  format: string,
): Promise<void> {
  const { exportJsonLines, exportMarkdown } = await import("./transfer/export.ts");
  await using engine = await context.openEngine();
  const { folder, signal, terminal } = context;
  const pieces =
    format === "markdown"
      ? exportMarkdown(engine, signal)
      : exportJsonLines(engine, toIsoTime(systemClock.now()), signal);
  if (file === undefined) {
    // A file or a pipe gets what is stored.
    const show = context.isInteractive() ? toPrintable : (piece: string) => piece;
    for await (const piece of pieces) terminal.write(show(piece));
    return;
  }
  const path = await makePrivateFile(resolve(folder, file), async (part) => {
    for await (const piece of pieces) await appendFile(part, piece);
  });
  context.out().entry({ exported: path }, `Exported to ${path}.`);
}

async function runImport(
  context: CommandContext,
  file: string,
  { dryRun = false }: { dryRun?: boolean },
): Promise<void> {
  const { countAll, readImport, storeImport } = await import("./transfer/import.ts");
  const workspaces = await readImport(resolve(context.folder, file));
  const counts = countAll(workspaces);
  const out = context.out();
  const text = (["workspaces", "threads", "messages"] as const)
    .map((name) => `${counts[name].toLocaleString("en")} ${name}`)
    .join(", ");
  if (dryRun) {
    return out.entry({ imported: false, ...counts }, `It has ${text}. Nothing was imported.`);
  }
  await using engine = await context.openEngine();
  using bar = createProgressBar(context.terminal, context.showsText());
  let done = 0;
  const onMessage = () => {
    done += 1;
    if (done % 50 === 0) bar.show({ phase: "importing", done, total: counts.messages });
  };
  await storeImport(engine, workspaces, { signal: context.signal, onMessage });
  bar[Symbol.dispose]();
  out.entry({ imported: true, ...counts }, `Imported: ${text}.`);
}
