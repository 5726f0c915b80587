// In a process of its own: it looks at the modules that are loaded.
// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { describe, it } from "node:test";
import fc from "fast-check";

const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier);
    return next(specifier, context);
  },
});
const { echoModel } = await import("../../../../engine/models/providers/echo.ts");
const { createTestEngine } = await import("../../../support/engine/engine.ts");
const { resolveModel } = await import("../../../../engine/models/resolve.ts");

async function echo(content: string): Promise<string[]> {
  const deltas: string[] = [];
  let ends = 0;
  const messages = [
    { role: "user", content: "before" },
    { role: "assistant", content: "answer" },
    { role: "user", content },
  ] as const;
  const request = { instructions: "not this", messages, tools: [] };
  for await (const part of echoModel.stream(request, new AbortController().signal)) {
    assert.equal(ends, 0, "nothing comes after the end");
    if (part.type === "delta") deltas.push(part.text);
    if (part.type === "end") ends += 1;
  }
  assert.equal(ends, 1);
  return deltas;
}

describe("Echo", () => {
  it("repeats the user message exactly, in deltas of a few words", async () => {
    assert.deepEqual(await echo("one two three four"), ["one two three ", "four"]);
    assert.deepEqual(await echo("\n a\tb "), ["\n a\tb "]);
    assert.deepEqual(await echo(" "), [" "]);
  });

  it("has no delta for an empty message", async () => {
    assert.deepEqual(await echo(""), []);
  });

  it("loses nothing and cuts no character of any message", async () => {
    const words = fc.string({ unit: fc.constantFrom("a", " ", "\n", "👋", "é", "\u3000", "x y") });
    await fc.assert(
      fc.asyncProperty(words, async (content) => {
        const deltas = await echo(content);
        assert.equal(deltas.join(""), content);
        for (const delta of deltas) assert.ok(delta !== "" && delta.isWellFormed());
      }),
    );
  });

  it("is quick with text without end and without spaces", async () => {
    assert.equal((await echo("x".repeat(4_000_000))).join("").length, 4_000_000);
    assert.equal((await echo(" ".repeat(4_000_000))).join("").length, 4_000_000);
  });

  it("stops where the turn does", async () => {
    const turn = new AbortController();
    const request = {
      instructions: "",
      messages: [{ role: "user", content: "a b c d e f g" }] as const,
      tools: [],
    };
    const parts = echoModel.stream(request, turn.signal)[Symbol.asyncIterator]();
    await parts.next();
    const reason = new Error("cancelled");
    turn.abort(reason);
    await assert.rejects(parts.next() as Promise<unknown>, reason);
  });

  it("loads no provider package, whole turns and the engine around it included", async () => {
    await using test = await createTestEngine();
    const choice = { requested: "echo", threadDefault: null, workspaceDefault: null };
    await (await resolveModel(test.deps, choice)).create(32_768);
    await echo("x");
    assert.ok(loaded.some((specifier) => specifier.endsWith("/registry.ts")));
    assert.deepEqual(
      loaded.filter((specifier) => specifier === "ai" || specifier.includes("@ai-sdk")),
      [],
    );
  });
});
