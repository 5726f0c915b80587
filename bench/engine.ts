// `npm run bench [-- part of a row's name]`: the engine beside floors written by hand for the same work, in the same run.
// Only the ratios mean anything.
import { printTable } from "./harness.ts";
import { clientTurnRow } from "./rows/client.ts";
import { consoleFirstPaintRow, consoleSizeRow } from "./rows/console-first-paint.ts";
import { consoleStreamRow } from "./rows/console-stream.ts";
import { fileSearchRow } from "./rows/file-search.ts";
import { httpTurnRow } from "./rows/http-turns.ts";
import { longWorkRows } from "./rows/long-work.ts";
import { turnMemoryRow } from "./rows/memory.ts";
import { requestRows } from "./rows/requests.ts";
import { startRow } from "./rows/start.ts";
import { streamRow } from "./rows/stream.ts";
import { turnRow } from "./rows/turns.ts";
import { whileIndexingRow } from "./rows/while-indexing.ts";

await printTable(
  [
    startRow,
    ...requestRows,
    ...longWorkRows,
    turnRow,
    httpTurnRow,
    clientTurnRow,
    consoleStreamRow,
    turnMemoryRow,
    streamRow,
    fileSearchRow,
    whileIndexingRow,
    consoleSizeRow,
    consoleFirstPaintRow,
  ],
  process.argv[2] ?? "",
);
