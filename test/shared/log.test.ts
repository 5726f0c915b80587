import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DrizzleQueryError } from "drizzle-orm";
import { redactFields, redactText } from "../../shared/log.ts";

describe("redaction", () => {
  for (const secret of [
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "rt1.AbC-_123",
    "sk-CANARY0123456789",
    "AKIAABCDEFGHIJKLMNOP",
    "ghp_0123456789abcdefghijABCDEFGHIJ",
    "AIzaSyA0123456789_0123456789-0123456789",
  ]) {
    it(`takes ${secret.slice(0, 8)}… out of text, of fields and of errors with their causes`, () => {
      const text = `before ${secret} after`;
      assert.equal(redactText(text), "before [redacted] after");
      const error = new Error(text, { cause: { deep: [text, new Error(text)] } });
      assert.equal(JSON.stringify(redactFields({ error, list: [text] })).includes(secret), false);
    });
  }

  it("takes mail addresses out of text, and of errors with their causes", () => {
    const refusal = "550 5.1.1 <ann.lee+tag@mail.example.test>: Recipient unknown";
    assert.equal(redactText(refusal), "550 5.1.1 <[address]>: Recipient unknown");
    assert.equal(redactText("jörg@bücher.example, b@c.de"), "[address], [address]");
    for (const mark of "!#$%&'*+/=?^_`{|}~-.") {
      assert.equal(redactText(`550 <jose${mark}private@b.example>`), "550 <[address]>", mark);
    }
    assert.equal(redactText('550 <"ann b. <lee>"@b.example>'), "550 <[address]>");
    const error = new Error("The mail failed.", { cause: new Error(refusal) });
    assert.ok(!JSON.stringify(redactFields({ error })).includes("ann.lee"));
    for (const text of ["hono@4.1.2", "node_modules/@hono/zod.ts", "@", "a@b", "@b.example"]) {
      assert.equal(redactText(text), text);
    }
  });

  it("takes fields out by their names", () => {
    const fields = {
      password: "a",
      access_token: "b",
      apiKey: "c",
      clientSecret: "d",
      Authorization: "e",
      code_verifier: "f",
      cookie: "g",
      kept: "h",
      token: null,
    };
    const { kept, token, ...secrets } = redactFields(fields) as Record<string, unknown>;
    assert.equal(kept, "h");
    assert.equal(token, null);
    assert.deepEqual(new Set(Object.values(secrets)), new Set(["[redacted]"]));
  });

  it("takes the values out of a query that failed: message and stack keep the SQL alone", () => {
    const hostile = "canary-1\n    at nowhere (canary-2)";
    const cause = new Error("no such table: users");
    const error = new DrizzleQueryError("insert into users values (?, ?)", [hostile, 7], cause);
    const text = JSON.stringify(redactFields({ error }));
    assert.ok(!text.includes("canary"));
    assert.match(text, /Failed query: insert into users values \(\?, \?\)/);
    assert.match(text, /no such table: users/);
    assert.match(text, /log\.test\.ts/, "where it happened stays known");
  });

  it("passes on nothing of an error but its name, message, stack and cause", () => {
    const error = Object.assign(new Error("m"), { requestBodyValues: { prompt: "private" } });
    assert.equal(JSON.stringify(redactFields(error)).includes("private"), false);
  });

  it("reads no more than 4 KiB of a text, and says what it left out", () => {
    for (const unit of ["-eyJaaaaaaaaaaa", "Bearer ", "sk-", "rt1.", "x"]) {
      const text = unit.repeat(16_000_000 / unit.length);
      for (const clean of [redactText(text), String(redactFields([text]))]) {
        assert.ok(clean.length < 8192, unit);
        assert.match(clean, / \[cut: \d+ more characters\]$/);
      }
    }
    assert.equal(redactText("x".repeat(4096)).length, 4096);
  });

  it("keeps at most a hundred entries of a list or an object", () => {
    const list = Array.from({ length: 1000 }, (_, at) => at);
    assert.equal((redactFields(list) as unknown[]).length, 100);
    assert.equal(Object.keys(redactFields({ ...list }) as object).length, 100);
  });

  it("ends in a loop of objects", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    assert.equal(JSON.stringify(redactFields(loop)).includes("[deep]"), true);
  });
});
