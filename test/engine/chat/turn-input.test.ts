// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  messageTokens,
  plannedTokens,
  sumTokens,
  textTokens,
} from "../../../engine/chat/context-window.ts";
import { RESULT_TOKENS_MIN } from "../../../engine/chat/limits.ts";
import { type SentResult, TurnInput } from "../../../engine/chat/turn-input.ts";
import { fitTools } from "../../../engine/chat/turn-tools.ts";
import type { ModelMessage, ModelRequest } from "../../../engine/models/language-model.ts";
import type { ContextWindow } from "../../../engine/models/wire.ts";
import type { Hit } from "../../../engine/retrieval/retrieval.ts";
import type { Passage } from "../../../engine/tools/builtin/builtin.ts";
import { BUILTIN_TOOLS } from "../../../engine/tools/builtin/catalog.ts";
import { toHitsResult } from "../../../engine/tools/builtin/retrieval.ts";
import { UI_TOOLS } from "../../../engine/tools/ui-tools.ts";
import { repeats } from "../../support/repeats.ts";

const user = (content: string) => ({ role: "user", content }) as const;
const assistant = (content: string): ModelMessage => ({ role: "assistant", content });
const QUESTION = user("newest");

function inputOf(given: {
  window: number;
  source?: ContextWindow["source"];
  history?: ModelMessage[];
  question?: string;
  instructions?: string;
  summary?: string | undefined;
}) {
  const { window, source = "stated", history = [], question = "newest", instructions = "" } = given;
  const { summary } = given;
  return new TurnInput({
    window: { window, source },
    instructions,
    summary,
    history,
    question: user(question),
  });
}

const step = { role: "step", content: "", calls: [], replay: undefined } as const;
const resultOf = (output: string, passages: Passage[] = []): SentResult => ({
  outcome: { toolCallId: "c", toolName: "t", output, failed: false },
  passages,
  leftOut: undefined,
});
const outputs = ({ messages }: ModelRequest) =>
  messages.flatMap((message) =>
    message.role === "tool" ? message.results.map(({ output }) => output) : [],
  );
const passage = (path: string): Passage => ({
  rootIndex: 0,
  path,
  startLine: 1,
  endLine: 2,
  from: "search",
  sensitive: false,
});
/** A result that gave way, with its call. */
const NO_ROOM_TOKENS_MAX = 40;
/** A window of which so many tokens are planned. */
const windowFor = (tokens: number) => Math.ceil(tokens / 0.85);

describe("the room for requests", () => {
  for (const [window, tokens] of [
    [8192, 6963],
    [1_000_000, 850_000],
    [100, 85],
    [1, 0],
  ] as const) {
    it(`in a window of ${window} is ${tokens} tokens`, () => {
      assert.equal(plannedTokens(window), tokens);
    });
  }
});

describe("a conversation that does not fit", () => {
  it("loses its oldest messages first, and says so", () => {
    const history = [user("a"), assistant("b"), user("c"), assistant("d")];
    const kept = [4, 3, 2, 1, 0].map((count) => {
      const tokens = messageTokens(QUESTION) + count * messageTokens(user("a"));
      const input = inputOf({ window: windowFor(tokens), history });
      const { messages } = input.compose([]);
      assert.deepEqual(messages.at(-1), QUESTION);
      assert.equal(input.context.notices.length, count === 4 ? 0 : 1);
      return messages.length - 1;
    });
    // An answer whose question is gone goes with it.
    assert.deepEqual(kept, [4, 2, 2, 0, 0]);
  });

  it("keeps a thread that began with an answer as it is", () => {
    const history = [assistant("hello"), user("a")];
    const { messages } = inputOf({ window: 1000, history }).compose([]);
    assert.deepEqual(messages, [...history, QUESTION]);
  });

  it("refuses a question over a window that is known, and sends it where that is assumed", () => {
    const question = "x".repeat(100_000);
    for (const source of ["stated", "server", "known"] as const) {
      const input = inputOf({ window: 4096, source, question });
      assert.throws(() => input.compose([]), /about 25004 tokens, and the context window 4096 /);
    }
    const input = inputOf({ window: 4096, source: "assumed", question });
    assert.deepEqual(input.compose([]).messages, [user(question)]);
    assert.match(input.context.notices[0]!, /State the window of the model/);
  });

  it("loses the oldest results of the turn for good, and keeps the newer ones whole", () => {
    const big = "y".repeat(4000);
    const input = inputOf({ window: windowFor(1300) });
    input.addStep(step);
    input.addResult(resultOf(big, [passage("a")]));
    input.addResult(resultOf("small", [passage("b")]));
    assert.deepEqual(outputs(input.compose([])), [big, "small"]);
    input.addStep(step);
    input.addResult(resultOf(big, [passage("c")]));
    const [first, ...rest] = outputs(input.compose([]));
    assert.match(first!, /^\[This result was left out/);
    assert.deepEqual(rest, ["small", big]);
    assert.deepEqual(outputs(input.compose([])), [first, ...rest]);
    assert.deepEqual(
      input.sources.map(({ path }) => path),
      ["a", "b", "c"],
    );
  });

  it("names no passage that never stood in a request", () => {
    const input = inputOf({ window: windowFor(300) });
    input.addStep(step);
    input.addResult(resultOf("y".repeat(4000), [passage("a")]));
    assert.match(outputs(input.compose([]))[0]!, /left out/);
    assert.deepEqual(input.sources, []);
    assert.match(input.context.notices[0]!, /has no room for: a result of t/);
  });

  it("takes half of the window after an overflow, in later requests, too", () => {
    const history = Array.from({ length: 40 }, () => user("z".repeat(400)));
    const input = inputOf({ window: 4000, history });
    const before = input.compose([]).messages.length;
    input.halve();
    const after = input.compose([]).messages.length;
    assert.ok(after <= before / 2 + 1, `${before} ${after}`);
    assert.equal(input.compose([]).messages.length, after);
  });
});

/** A turn with steps of searches, and reads whose results are of any size. */
const turns = fc.record({
  window: fc.oneof(fc.integer({ min: 2048, max: 20_000 }), fc.constantFrom(32_768, 131_072)),
  instructions: fc.integer({ min: 0, max: 1000 }),
  question: fc.integer({ min: 0, max: 2000 }),
  summary: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
  history: fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 20 }),
  withTools: fc.boolean(),
  steps: fc.array(
    fc.array(
      fc.oneof(
        fc.array(fc.integer({ min: 1, max: 2400 }), { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 0, max: 80_000 }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    { maxLength: 5 },
  ),
});

it("of any turn, what is sent fits the window with question and best passage, and nothing goes without a notice", () => {
  fc.assert(
    fc.property(turns, (given) => {
      const { window } = given;
      const history = given.history.map((length, at) =>
        at % 2 === 0 ? user("h".repeat(length)) : assistant("h".repeat(length)),
      );
      const question = "q".repeat(given.question);
      const instructions = "i".repeat(given.instructions);
      const summary = given.summary === undefined ? undefined : "s".repeat(given.summary);
      const input = inputOf({ window, history, question, instructions, summary });
      const fitted = fitTools(given.withTools ? BUILTIN_TOOLS : [], UI_TOOLS.slice(0, 1), window);
      const tools = [...fitted.offered.map(({ spec }) => spec), ...fitted.uiTools];
      let request = input.compose(tools);
      let sent = 0;
      for (const [at, calls] of given.steps.entries()) {
        input.addStep({
          ...step,
          calls: [{ toolCallId: "c", toolName: "t", argumentsText: "{}" }],
        });
        const searches: Hit[] = [];
        for (const [index, call] of calls.entries()) {
          const room = input.roomForResult(calls.length - index);
          if (typeof call === "number") {
            const whole = "r".repeat(call);
            const leftOut = call > room ? "the rest of a file" : undefined;
            const { outcome } = resultOf(whole.slice(0, room));
            input.addResult({ outcome, passages: [], leftOut });
            continue;
          }
          const hits = call.map((length, rank) => hitOf(`${at}-${index}-${rank}`, length));
          const result = toHitsResult(hits, { rest: {}, resultBytesMax: room });
          const output = JSON.stringify(result.value);
          searches.push(hits[0]!);
          const { passages = [], leftOut } = result.parts;
          input.addResult({ outcome: { ...resultOf(output).outcome }, passages, leftOut });
        }
        request = input.compose(tools);
        sent = checkRequest(request, { window, question });
        const last = outputs(request).slice(-calls.length).join();
        // Older results yield, so that a step has this room where the window has it at all.
        const parts = input.context.parts.filter(({ kind }) => !/results|history/.test(kind));
        const fixed = parts.reduce((sum, { tokens }) => sum + tokens, 0);
        const others = given.steps.length * 3 * NO_ROOM_TOKENS_MAX;
        const hasRoom = plannedTokens(window) - fixed - others > calls.length * RESULT_TOKENS_MIN;
        for (const { path, content } of searches) {
          assert.ok(last.includes(path), `the best hit ${path}`);
          if (hasRoom) assert.ok(last.includes(JSON.stringify(content)), `all of ${path}`);
        }
      }
      const { context, sources } = input;
      // A summary is counted as if it had a message of its own.
      const over = context.inputTokens - checkRequest(request, { window, question });
      assert.ok(summary === undefined ? over === 0 : over >= 0 && over <= 5, `${over}`);
      assert.ok(sent <= plannedTokens(window));
      const isWhole =
        request.messages.length === history.length + 1 + given.steps.length * 2 &&
        outputs(request).every(
          (output) => !output.includes("left out") && !output.includes("no room"),
        );
      assert.equal(isWhole || context.notices.length > 0, true);
      assert.equal(context.dropped.length > 0, context.notices.length > 0);
      assert.equal(new Set(sources.map(({ path }) => path)).size, sources.length);
    }),
    { numRuns: repeats({ once: 150, long: 10_000 }) },
  );
});

function hitOf(path: string, length: number) {
  const place = { rootIndex: 0, chunkId: 1, documentId: 1, ordinal: 0, path, startLine: 1 };
  const content = "line\n".repeat(Math.ceil(length / 5));
  return { ...place, content, endLine: 1, tokenEstimate: null, sensitive: false, score: 1 };
}

/** Holds a request to its window; returns its tokens. */
function checkRequest(
  { instructions, messages, tools }: ModelRequest,
  { window, question }: { window: number; question: string },
): number {
  assert.ok(
    messages.some((message) => message.role === "user" && message.content.endsWith(question)),
  );
  const fixed =
    textTokens(instructions) + (tools.length > 0 ? textTokens(JSON.stringify(tools)) : 0);
  const tokens = fixed + sumTokens(messages);
  assert.ok(tokens <= plannedTokens(window), `${tokens} in ${window}`);
  return tokens;
}
