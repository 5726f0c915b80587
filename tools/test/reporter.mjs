import { inspect } from "node:util";

// A reporter of node:test: a JSON line for each test, and for the counts of the process.

/** @param {AsyncIterable<import("node:test").TestEvent>} source */
export default async function* report(source) {
  for await (const { type, data } of source) {
    if (type === "test:pass" || type === "test:fail") {
      const { name, nesting, file, details, skip } = data;
      const { duration_ms: ms, type: kind, error } = details;
      yield `${JSON.stringify({ type, name, nesting, file, ms, kind, skip, error: error && inspect(error.cause) })}\n`;
    } else if (type === "test:summary") {
      yield `${JSON.stringify({ type, counts: data.counts })}\n`;
    }
  }
}
