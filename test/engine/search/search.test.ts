// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  MESSAGE_PIECE_BYTES,
  MESSAGE_PIECE_OVERLAP_BYTES,
  MESSAGE_SEARCHED_BYTES,
} from "../../../engine/search/limits.ts";
import { KIB, MIB } from "../../../shared/units.ts";
import { anyText } from "../../support/arbitraries.ts";
import { createTestEngine, type TestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

async function createHarness(contents: (string | [role: string, content: string])[]) {
  const test = await createTestEngine();
  const post = async (path: string, body: object) => json(await test.call("POST", path, body));
  const workspace = (await post("/workspaces", { name: "w" })).uuid;
  const thread = (await post("/threads", { workspaceUuid: workspace, title: "t" })).uuid;
  const store = async (threadUuid: string, role: string, content: string) =>
    (await post("/messages", { threadUuid, role, content })).uuid;
  for (const each of contents) {
    const [role, content] = typeof each === "string" ? ["user", each] : each;
    await store(thread, role!, content!);
  }
  const find = async (query: string, more = "") =>
    json(await test.call("GET", `/search/messages?query=${encodeURIComponent(query)}${more}`));
  return { test, workspace, thread, store, find, post };
}

const snippets = (hits: { snippet: string }[]) => hits.map(({ snippet }) => snippet);

describe("GET /search/messages", () => {
  it("finds messages by a word, with all that a client shows", async () => {
    const { test, workspace, thread, find } = await createHarness([
      "Hello wonderful world",
      "other",
    ]);
    await using _test = test;
    const hits = await find("WONDERFUL");
    const [listed] = await json(await test.call("GET", `/threads/${thread}/messages`));
    const { score, ...fields } = hits[0];
    assert.ok(score > 0);
    assert.deepEqual(fields, {
      messageUuid: listed.uuid,
      threadUuid: thread,
      workspaceUuid: workspace,
      threadTitle: "t",
      role: "user",
      createdAt: listed.createdAt,
      snippet: "Hello wonderful world",
    });
    assert.equal(hits.length, 1);
  });

  const cases: [text: string, query: string][] = [
    ["私は日本語の文章を書く", "日本語"],
    ["私は日本語の文章を書く", "語"],
    ["私は日本語の文章を書く", "文章"],
    ["한국어문장입니다", "문장"],
    ["Grüße aus Köln", "köln"],
    ["Grüße aus Köln", "KOLN"],
    ["a b c", "b"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["before\u0000behind", "behind"],
    ["emoji 🎉 party", "party"],
    ["user_name = 5", "name"],
  ];
  for (const [text, query] of cases) {
    it(`finds ${JSON.stringify(query)} in ${JSON.stringify(text)}`, async () => {
      const { test, find } = await createHarness(["nothing here", text]);
      await using _test = test;
      assert.deepEqual(snippets(await find(query)), [text]);
    });
  }

  it("ranks the better message first; all words count before any", async () => {
    const filler = " filler".repeat(60);
    const { test, find } = await createHarness([
      `cat${filler}`,
      "cat cat cat",
      "dog",
      `cat dog${filler}`,
    ]);
    await using _test = test;
    const hits = await find("cat");
    assert.equal(hits[0].snippet, "cat cat cat");
    assert.ok(hits[0].score > hits[1].score);
    assert.equal((await find("cat dog")).length, 1);
    assert.equal((await find("dog bird")).length, 2);
  });

  it("leaves out tool records and whatever is deleted, at once", async () => {
    const { test, workspace, thread, store, find, post } = await createHarness([
      ["tool", "needle tool"],
      ["system", "needle system"],
    ]);
    await using _test = test;
    const other = (await post("/threads", { workspaceUuid: workspace })).uuid;
    await store(other, "assistant", "needle other");
    assert.deepEqual(snippets(await find("needle")).sort(), ["needle other", "needle system"]);
    await test.call("DELETE", `/threads/${other}`);
    assert.deepEqual(snippets(await find("needle")), ["needle system"]);
    await test.call("DELETE", `/workspaces/${workspace}`);
    assert.deepEqual(await find("needle"), []);
    assert.equal((await test.call("GET", `/threads/${thread}`)).status, 404);
  });

  it("looks in one workspace or thread; what is unknown has none", async () => {
    const { test, workspace, thread, store, find, post } = await createHarness(["needle one"]);
    await using _test = test;
    const second = (await post("/workspaces", { name: "v" })).uuid;
    const elsewhere = (await post("/threads", { workspaceUuid: second })).uuid;
    await store(elsewhere, "user", "needle two");
    assert.deepEqual(snippets(await find("needle", `&threadUuid=${thread}`)), ["needle one"]);
    assert.deepEqual(snippets(await find("needle", `&workspaceUuid=${second}`)), ["needle two"]);
    const both = `&workspaceUuid=${workspace}&threadUuid=${elsewhere}`;
    for (const more of [both, "&threadUuid=x", "&workspaceUuid=x", "&threadUuid="]) {
      assert.deepEqual(await find("needle", more), [], more);
    }
  });

  it("gives at most the limit, and refuses what makes no sense", async () => {
    const { test, find } = await createHarness(
      Array.from({ length: 60 }, (_, at) => `needle ${at}`),
    );
    await using _test = test;
    assert.equal((await find("needle")).length, 20);
    assert.equal((await find("needle", "&limit=50")).length, 50);
    const refused = ["", "?query=", "?query=a&limit=", "?query=a&limit=0", "?query=a&limit=51"];
    for (const query of [...refused, "?query=a&limit=x"]) {
      const { details } = await json(await test.call("GET", `/search/messages${query}`), 400);
      assert.match(details, /^(query|limit): /, query);
    }
    const bodies = [
      {},
      { query: "" },
      { query: 1 },
      { query: "a", limit: 51 },
      { query: "a", limit: 1.5 },
    ];
    for (const body of bodies) {
      assert.equal((await test.call("POST", "/search/messages", body)).status, 400);
    }
  });

  it("takes long queries as JSON", async () => {
    const { test, post } = await createHarness(["needle"]);
    await using _test = test;
    const query = `needle ${" ".repeat(1_000_000)}`;
    assert.deepEqual(snippets(await post("/search/messages", { query, limit: 1 })), ["needle"]);
    assert.deepEqual(await post("/search/messages", { query: "needle", thread_uuid: "x" }), []);
  });

  it("has snippets of at most 300 characters that hold the word", async () => {
    const long = `${"word ".repeat(5_000)}needle${" tail 😀".repeat(5_000)}`;
    const { test, find } = await createHarness([long, `${"x".repeat(20_000)} needle`]);
    await using _test = test;
    const hits = await find("needle");
    assert.equal(hits.length, 2);
    for (const { snippet } of hits) {
      assert.ok(snippet.length <= 300 && snippet.includes("needle"));
      assert.ok(snippet.isWellFormed());
    }
  });
});

describe("any query", () => {
  const hostile = [
    '"',
    "'",
    "*",
    "a*",
    "NEAR(a b)",
    "a AND",
    "OR",
    "NOT a",
    "text:a",
    "^a",
    "-a",
    "+",
    "(",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "🎉",
    "%",
    "ﬁ",
    "İ",
    "\u0301",
  ];

  it("gives an answer", async () => {
    const { test } = await createHarness(['a "quoted" AND NOT text']);
    await using _test = test;
    const check = async (query: string) => {
      const response = await test.call("POST", "/search/messages", { query });
      assert.equal(response.status, query === "" ? 400 : 200, JSON.stringify(query));
      await response.text();
    };
    for (const query of [
      ...hostile,
      "x".repeat(1_000_000),
      "é".repeat(500_000),
      '" '.repeat(9_000),
    ]) {
      await check(query);
    }
    const text = fc.oneof(
      anyText(),
      fc.array(fc.constantFrom(...hostile)).map((each) => each.join(" ")),
    );
    await fc.assert(fc.asyncProperty(text, check), { numRuns: 200 });
  });
});

describe("a long message", () => {
  /** A text of so many bytes, in which each word has its place as a number. */
  const numbered = (bytes: number) =>
    Array.from({ length: bytes / 8 }, (_, at) => `w${String(at * 8).padStart(6, "0")} `).join("");

  it("is found by all of its first 1 MiB, also where its words stand far apart", async () => {
    const text = numbered(MIB);
    const place = 900 * KIB;
    const long = `first   ${text.slice(8, place)}deeply ${text.slice(place + 7)}behind`;
    const { test, find } = await createHarness(["first", "deeply", long, "other"]);
    await using _test = test;
    const [hit] = await find("first deeply");
    assert.match(hit.snippet, /^first/);
    assert.deepEqual(snippets(await find("first deeply")), [hit.snippet]);
    const hits = await find("deeply");
    assert.equal(hits.length, 2);
    for (const { snippet } of hits) assert.match(snippet, /\bdeeply\b/);
    assert.deepEqual(await find("behind"), []);
    assert.equal((await find("behind other")).length, 1);
    assert.deepEqual(await find("deeply absent", "&threadUuid=x"), []);
  });

  it("is found by the words and characters at the border of two pieces", async () => {
    const latin = `xyz${numbered(100_000)}`;
    const han = Array.from({ length: 40_000 }, (_, at) =>
      String.fromCharCode(0x4e00 + (at % 20_000)),
    );
    const { test, find } = await createHarness([latin, `xy${han.join("")}`]);
    await using _test = test;
    for (let border = MESSAGE_PIECE_BYTES; border < 96_000; border += MESSAGE_PIECE_BYTES) {
      const word = latin.slice(border - 5, border + 2);
      assert.match(word, /^w\d{6}$/);
      assert.equal((await find(word)).length, 1, word);
      const at = Math.floor(border / 3);
      const run = han.slice(at - 64, at + 64).join("");
      const [hit, ...others] = await find(run);
      assert.deepEqual(others, []);
      assert.ok(hit.snippet.includes(run) && !hit.snippet.includes("\uFFFD"));
    }
  });

  const WORDS: [script: string, halves: [string, string]][] = [
    ["Latin", ["front", "behind"]],
    ["Greek", ["αρχη", "τελος"]],
    ["a mark at the border", ["cafe", "\u0301bar"]],
  ];
  for (const [script, [left, right]] of WORDS) {
    it(`is not found by half of a word that lies on a border: ${script}`, async () => {
      const borders = [
        MESSAGE_PIECE_BYTES,
        MESSAGE_PIECE_BYTES + MESSAGE_PIECE_OVERLAP_BYTES,
        MESSAGE_SEARCHED_BYTES,
      ];
      // The borders may also lie within a character.
      const places = borders.flatMap((border) => [border, border + 1].map((at) => [border, at]));
      const texts = places.map(([border, at], nth) => {
        const before = ` id${nth} `.padEnd(at! - Buffer.byteLength(left), " .");
        return { border, nth, text: `${before}${left}${right} tail`.padEnd(MIB + 100, ".") };
      });
      const { test, find } = await createHarness(texts.map(({ text }) => text));
      await using _test = test;
      assert.deepEqual(await find(left), []);
      assert.deepEqual(await find(right), []);
      const hits = await find(left + right);
      const whole = texts.filter(({ border }) => border !== MESSAGE_SEARCHED_BYTES);
      assert.equal(hits.length, whole.length);
    });
  }

  it("of exactly 1 MiB is found by its last word, and by words that fill a piece", async () => {
    const last = " needle".padStart(MESSAGE_SEARCHED_BYTES, " .");
    const { test, find } = await createHarness([last, `xyz ${"a".repeat(70_000)} end`]);
    await using _test = test;
    assert.equal((await find("needle")).length, 1);
    assert.equal((await find("end")).length, 1);
  });

  it("leaves nothing behind when it is deleted", async () => {
    const { test, thread, find } = await createHarness([numbered(200 * KIB), "short"]);
    await using _test = test;
    const rows = async () => {
      const sql = "SELECT count(*) AS count FROM message_search_docsize";
      return Number((await test.deps.db.$client.execute(sql)).rows[0]?.count);
    };
    assert.equal((await find("w102400")).length, 1);
    assert.equal(await rows(), 8);
    await test.call("DELETE", `/threads/${thread}`);
    while ((await rows()) > 0) await new Promise(setImmediate);
    assert.deepEqual(await find("w102400"), []);
  });
});

describe("messages of an older database", () => {
  it("are indexed in the background", async () => {
    const { test, thread, find } = await createHarness([]);
    await using _test = test;
    await storeUnseen(test, thread, 1_000);
    const indexed = async () => {
      const sql = "SELECT up_to FROM indexed_messages";
      return Number((await test.deps.db.$client.execute(sql)).rows[0]?.up_to);
    };
    assert.equal(await indexed(), 0);
    test.engine.resume();
    while ((await indexed()) < 1_000) await new Promise(setImmediate);
    for (const at of [0, 999]) assert.equal((await find(`needle${at}`)).length, 1);
    await test.engine.close();
  });
});

async function storeUnseen(test: TestEngine, thread: string, count: number): Promise<void> {
  const sql = `INSERT INTO messages (uuid, thread_id, role, content, created_at)
    SELECT 'm' || value, (SELECT id FROM threads WHERE uuid = ?1), 'user', 'needle' || value, '2026-01-01T00:00:00.000Z'
    FROM json_each(?2)`;
  const numbers = JSON.stringify(Array.from({ length: count }, (_, at) => at));
  await test.deps.db.$client.execute({ sql, args: [thread, numbers] });
}
