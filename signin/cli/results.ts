import { CommandFailed, type Output } from "../../shared/cli/output.ts";

/** What one check found. */
export interface CheckResult {
  check: string;
  ok: boolean;
  /** What is good, or what was expected and what came. */
  detail: string;
}

/** Shows each result as it comes. @throws CommandFailed if one is bad */
export async function showChecks(out: Output, results: AsyncIterable<CheckResult>): Promise<void> {
  let failed = 0;
  let run = 0;
  for await (const result of results) {
    out.check(result);
    run += 1;
    if (!result.ok) failed += 1;
  }
  if (failed > 0) throw new CommandFailed(`${failed} of ${run} checks failed.`);
}
