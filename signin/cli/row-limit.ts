import { Option } from "commander";
import { wholeNumber } from "../../shared/cli/whole-number.ts";
import { ROWS_SHOWN_DEFAULT, ROWS_SHOWN_MAX } from "../limits.ts";

/** `--limit`, of commands that list rows. */
export function rowLimit(): Option {
  return new Option("--limit <count>", `at most ${ROWS_SHOWN_MAX}`)
    .argParser(wholeNumber(1, ROWS_SHOWN_MAX))
    .default(ROWS_SHOWN_DEFAULT);
}
