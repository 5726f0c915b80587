import assert from "node:assert/strict";
import { it } from "node:test";
import { readSources, SOURCE_FOLDERS } from "./sources.ts";

const EXPORT = /^export (?:async )?(?:function\*?|const|class|abstract class) (\w+)/gm;
const MADE_FOR_TOOLS = /\/(schema|drizzle\.config)\.ts$|^signin\/workers\//;

const sources = readSources(...SOURCE_FOLDERS);
const words = new Map(sources.map(({ path, text }) => [path, new Set(text.match(/\w+/g))]));

// Used by tests or by their own file alone. The list only shrinks.
const KNOWN: readonly string[] = [
  "engine/db/deleted-rows.ts OF_THREADS",
  "engine/db/deleted-rows.ts OF_WORKSPACES",
  "engine/db/deleted-rows.ts REFERRING_TO_THREADS",
  "engine/files/faults.ts inaccessible",
  "engine/files/search.ts visitFiles",
  "engine/models/providers/registry.ts parseBaseUrl",
  "engine/realtime/frames.ts inboundFrames",
  "engine/realtime/frames.ts outboundFrames",
  "engine/retrieval/wire.ts RagRootStatus",
  "engine/tools/ui-tools.ts UI_TOOLS",
  "engine/workspaces/roots.ts toAbsolutePath",
  "shared/node/launch.mjs refuseNode",
];

// A type may be exported because the signature of an exported function names it.
it("every exported value of product code is used outside its file and the tests", () => {
  const unused = sources.flatMap(({ path, text }) => {
    if (!/^(engine|signin|shared)\//.test(path) || MADE_FOR_TOOLS.test(path)) return [];
    return [...text.matchAll(EXPORT)].flatMap(([, name = ""]) =>
      [...words].some(([other, used]) => other !== path && used.has(name)) ? [] : `${path} ${name}`,
    );
  });
  assert.deepEqual(unused.sort(), [...KNOWN].sort());
});
