import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger, toReadableLine } from "../../shared/node/logger.ts";

function capture(level: string) {
  const lines: string[] = [];
  const log = createLogger(level, [{ write: (line) => lines.push(line) }]);
  return { log, read: () => lines.map((line) => JSON.parse(line)) };
}

describe("a log", () => {
  it("is one JSON object a line, with level, time and sentence", () => {
    const { log, read } = capture("error");
    log.error({ count: 3 }, "This line belongs to a test.");
    const [{ time, ...line }] = read();
    assert.deepEqual(line, { level: "error", count: 3, msg: "This line belongs to a test." });
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("has the stack of an error in its file alone: a person reads the message", () => {
    const { log, read } = capture("warn");
    log.warn({ turn: "t", error: new Error("Nothing answers.") }, "A turn failed.");
    const [entry] = read();
    assert.match(entry.error.stack, /node-logger\.test/);
    const line = toReadableLine({ ...entry, time: "2026-01-01T12:34:56.000Z" });
    assert.equal(line, '12:34:56 warn  A turn failed. {"turn":"t","error":"Nothing answers."}');
  });

  it("leaves out what is below its level", () => {
    const { log, read } = capture("error");
    log.debug({}, "no");
    log.info({}, "no");
    log.warn({}, "no");
    assert.deepEqual(read(), []);
    const silent = capture("silent");
    silent.log.error({}, "no");
    assert.deepEqual(silent.read(), []);
  });

  it("never holds a secret: by its name, by its look, in an error, in the sentence itself", () => {
    const { log, read } = capture("error");
    const secret = "sk-CANARY0123456789";
    const error = new Error(`refused ${secret}`, { cause: new Error(`Bearer ${secret}`) });
    log.error({ token: "t0p", deep: { apiKey: "t0p" }, url: `x?k=${secret}`, error }, secret);
    const text = JSON.stringify(read());
    assert.ok(!text.includes("CANARY") && !text.includes("t0p"));
    assert.match(text, /refused/);
  });
});
