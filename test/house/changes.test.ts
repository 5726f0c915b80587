import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { changeEvents } from "../../engine/events/change.ts";
import { MUTATIONS, WITHOUT_CHANGE } from "../support/engine/mutations.ts";
import { ROOT } from "./sources.ts";

const PREFIX = "/api/v1";

it("every operation that changes something publishes it, or says why it does not", () => {
  const document = JSON.parse(readFileSync(join(ROOT, "engine/openapi.json"), "utf8"));
  const operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== "get")
      .map((method) => `${method.toUpperCase()} ${path.slice(PREFIX.length)}`),
  );
  const listed = [...Object.keys(MUTATIONS), ...Object.keys(WITHOUT_CHANGE)];
  assert.deepEqual(operations.sort(), listed.sort());
});

it("the changes of operations are types of `GET /changes`", () => {
  const unknown = Object.values(MUTATIONS)
    .flat()
    .filter((type) => !Object.hasOwn(changeEvents, type));
  assert.deepEqual(unknown, []);
});
