import { CommandFailed, type Output, type Row, toCell } from "../../shared/cli/output.ts";

/** What one check found. */
export interface CheckResult {
  check: string;
  ok: boolean;
  /** What is good, or what was expected and what came. */
  detail: string;
}

/** One fact a line, or one JSON object. */
export function showFacts(out: Output, facts: Row): void {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  const lines = Object.entries(facts).map(([name, value]) => {
    return `${name.padEnd(width)}  ${toCell(value)}`;
  });
  out.entry(facts, lines.join("\n"));
}

/** The result of a check: one line, or one JSON object. */
export function showCheck(out: Output, result: CheckResult): void {
  const { check, ok, detail } = result;
  out.entry(result, `${ok ? "ok    " : "FAILED"}  ${toCell(check)}: ${toCell(detail)}`);
}

/** Shows each result as it comes. @throws CommandFailed if one is bad */
export async function showChecks(out: Output, results: AsyncIterable<CheckResult>): Promise<void> {
  let failed = 0;
  let run = 0;
  for await (const result of results) {
    showCheck(out, result);
    run += 1;
    if (!result.ok) failed += 1;
  }
  if (failed > 0) throw new CommandFailed(`${failed} of ${run} checks failed.`);
}
