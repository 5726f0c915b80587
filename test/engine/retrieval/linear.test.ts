// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { searchEnabledRoots } from "../../../engine/retrieval/actions.ts";
import { chunkText } from "../../../engine/retrieval/text/chunk.ts";
import { keywordTerms } from "../../../engine/retrieval/text/keyword-query.ts";
import { redactSecrets } from "../../../engine/retrieval/text/secrets.ts";
import { titleOf } from "../../../engine/retrieval/text/title.ts";
import { createRag } from "../../support/engine/retrieval.ts";
import { worstLines } from "../../support/files/bombs.ts";

const SMALL = 100_000;
const GROWTH = 8;
// Linear work grows eightfold, quadratic work sixty-four times. Counted in CPU of this thread: other load adds none.
const GROWTH_MAX = 36;
const ATTEMPTS = 6;
const MICROSECONDS = 1000;

describe("The time that a text takes grows with its length alone", () => {
  for (const [name, make] of Object.entries(worstLines)) {
    it(name, () => {
      const read = (length: number) => {
        const text = make(length);
        const before = process.threadCpuUsage();
        redactSecrets(text);
        titleOf(text, "markdown");
        for (const kind of ["markdown", "code", "text"] as const) chunkText(text, kind);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / MICROSECONDS;
      };
      read(SMALL);
      const [, median = 0] = [read(SMALL), read(SMALL), read(SMALL)].sort((a, b) => a - b);
      const small = Math.max(median, 4);
      // One linear reading is proof: quadratic work is never fast by accident, linear work can be slow beside other load.
      const isLinear = Array.from({ length: ATTEMPTS }).some(
        () => read(SMALL * GROWTH) / small < GROWTH_MAX,
      );
      assert.ok(isLinear, `each of ${ATTEMPTS} readings took over ${GROWTH_MAX} times ${small} ms`);
    });
  }
});

describe("Redacting and reading stay the same", () => {
  it("a key with its end, one without, and one whose end is too far", () => {
    const block = "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----";
    assert.equal(redactSecrets(`a ${block} b ${block} c`).includes("PRIVATE"), false);
    assert.equal(redactSecrets(`a ${block} b`), "a [redacted secret]\n\n b");
    assert.equal(
      redactSecrets("x -----BEGIN PRIVATE KEY-----\nabc= { y"),
      "x [redacted secret]\n{ y",
    );
    const far = `-----BEGIN PRIVATE KEY-----${"{".repeat(20_001)}-----END PRIVATE KEY-----`;
    assert.ok(redactSecrets(far).startsWith("[redacted secret]{{{"));
  });

  it("a token behind anything but a part of one", () => {
    const token = `eyJ${"a".repeat(12)}.${"b".repeat(12)}.${"c".repeat(12)}`;
    for (const before of ["", " ", "=", '"', ":", "/"]) {
      assert.equal(redactSecrets(before + token), `${before}[redacted secret]`);
    }
  });

  it("headings of Markdown and titles of front matter", () => {
    for (const [line, title] of [
      ["# One", "One"],
      ["## Two ##  ", "Two"],
      ["### a # #", "a #"],
      ["###### Six", "Six"],
      ['---\ntitle: "Named"\n---\n# Other', "Named"],
      ["---\nx: 1\ntitle: It's\n---\n", "It's"],
    ] as const) {
      assert.equal(titleOf(`${line}\ntext`, "markdown"), title, line);
    }
    assert.equal(titleOf("####### seven\nmore", "markdown"), "####### seven");
  });
});

describe("A query is cut before it is normalized", () => {
  it("so that words beyond 8,000 characters have no hits", async () => {
    await using rag = await createRag([{ "a.txt": "zebra", "b.txt": "okapi" }]);
    await rag.index();
    const query = `zebra ${"\u0301".repeat(7_990)}  okapi`;
    const found = await rag.search(query, { mode: "keyword" });
    assert.deepEqual(
      found.map(({ path }) => path),
      ["a.txt"],
    );
    const long = `zebra a${"\u0301\u0323".repeat(4_000_000)}`;
    assert.equal((await rag.search(long, { mode: "keyword" })).length, 1);
  });

  it("for every caller of the search", async () => {
    const asked: string[] = [];
    const retrieval = {
      search: async (_: unknown, { query }: { query: string }) => asked.push(query),
    };
    const workspace = { directories: JSON.stringify(["/"]), ragConfig: null };
    // Only what the function reads of its dependencies is there.
    const deps = { retrieval } as never;
    const request = { query: "q".repeat(9_000), mode: "keyword" as const, limit: 1 };
    await searchEnabledRoots(deps, workspace as never, request);
    assert.deepEqual(
      asked.map(({ length }) => length),
      [8_000],
    );
    assert.deepEqual(keywordTerms("q"), ['"q"']);
  });
});
