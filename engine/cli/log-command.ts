import { join } from "node:path";
import type { Command } from "commander";
import { wholeNumber } from "../../shared/cli/whole-number.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import { toReadableLine } from "../../shared/node/logger.ts";
import type { CommandContext } from "./context.ts";
import { LOG_LINES_DEFAULT, LOG_LINES_MAX } from "./limits.ts";
import { followLines, readLastLines } from "./log-lines.ts";

/** `logs`. It reads the file, so that it works while the engine is down. */
export function addLogCommand(program: Command, context: CommandContext): void {
  program
    .command("logs")
    .description("Show the last lines of the engine's log, even if the engine is not running.")
    .option("-f, --follow", "show new lines as they appear")
    .option(
      "-n, --lines <count>",
      `at most ${LOG_LINES_MAX}`,
      wholeNumber(0, LOG_LINES_MAX),
      LOG_LINES_DEFAULT,
    )
    .action(async ({ follow = false, lines }: { follow?: boolean; lines: number }) => {
      const { logs } = context.directory();
      const path = join(logs, "engine.log");
      const last = await readLastLines(path, lines);
      const missing = lines - last.lines.length;
      const before = await readLastLines(join(logs, "engine.1.log"), missing);
      show(context, [...before.lines, ...last.lines]);
      if (!last.mark) context.remark(`${path} does not exist: no engine has run here yet.`);
      if (!follow) return;
      for await (const fresh of followLines(path, last.mark, context.signal)) show(context, fresh);
    });
}

function show(context: CommandContext, lines: readonly string[]): void {
  const out = context.out();
  for (const line of lines) {
    const value = parseJson(line);
    // A line that a crash cut short is no JSON.
    const entry = isJsonObject(value) ? value : { msg: line };
    out.entry(entry, toReadableLine(entry));
  }
}
