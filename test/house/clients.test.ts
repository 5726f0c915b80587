import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startEngineProcess } from "../support/engine/process.ts";
import { bashOf, runBash } from "./bash-blocks.ts";

describe("the pieces of CLIENTS.md", () => {
  it("run as they are written: a turn by curl, its events by fetch, approvals, an error", async () => {
    await using engine = await startEngineProcess();
    const env = { BASE: engine.baseUrl, TOKEN: engine.runtime.token };
    const printed = await runBash(bashOf("CLIENTS.md"), env);
    const events = [...printed.matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
    assert.equal(events[0], "run.started");
    assert.equal(events.at(-1), "end");
    assert.match(printed, /^text: Hello over HTTP \(completed\)$/m);
    assert.match(printed, /^Hello over a socket \(done\)$/m);
    assert.match(printed, /^\[\]$/m);
    assert.match(printed, /"relativePath":"plan\.md"/);
    assert.match(printed, /^\{"content":"The zeppelin leaves at noon\."\}$/m);
    assert.match(printed, /"path":"plan\.md".*The zeppelin leaves at noon\./);
    assert.match(printed, /"threadTitle":"What leaves when\?"/);
    assert.match(printed, /^\{"groups":\[\{"key":"echo"/m);
    const error = JSON.parse(/^\{"error".*$/m.exec(printed)?.[0] ?? "{}");
    assert.match(error.details, /content/);
  });
});
