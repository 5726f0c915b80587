// Slow: it makes hundreds of threads.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestEngine, type TestEngine } from "../../support/engine/engine.ts";
import { json, nextPath } from "../../support/http.ts";

async function createHarness(test: TestEngine, titles: (string | null)[]) {
  const { uuid } = await json(await test.call("POST", "/workspaces", { name: "w" }));
  const threads: string[] = [];
  for (const title of titles) {
    const body = { workspaceUuid: uuid, title };
    threads.push((await json(await test.call("POST", "/threads", body))).uuid);
  }
  const path = `/workspaces/${uuid}/threads`;
  const list = async (query: string): Promise<string[]> => {
    const listed = await json(await test.call("GET", path + query));
    return listed.map((thread: { uuid: string }) => thread.uuid);
  };
  /** Newest-updated first. */
  const newest = threads.toReversed();
  return { uuid, path, newest, list };
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);

describe("a page of threads", () => {
  it("has the newest-updated ones; its links lead through all others, each once", async () => {
    await using test = await createTestEngine();
    const { path, newest } = await createHarness(test, names(7));
    for (const limit of [1, 2, 3, 7, 8, 1000]) {
      const seen: string[] = [];
      let next: string | undefined = `${path}?limit=${limit}`;
      while (next !== undefined) {
        const response = await test.call("GET", next);
        next = nextPath(response);
        const page = await json(response);
        assert.ok(page.length <= limit);
        seen.push(...page.map(({ uuid }: { uuid: string }) => uuid));
      }
      assert.deepEqual(seen, newest, String(limit));
    }
  });

  it("has what stands before a uuid of the list, with the objects of the whole list", async () => {
    await using test = await createTestEngine();
    const { path, newest, list } = await createHarness(test, names(4));
    assert.deepEqual(await list(`?limit=2&before=${newest[1]}`), newest.slice(2));
    assert.deepEqual(await list(`?before=${newest[0]}`), newest.slice(1));
    assert.deepEqual(await list(`?limit=2&before=${newest[3]}`), []);
    const whole = await (await test.call("GET", path)).text();
    assert.equal(await (await test.call("GET", `${path}?limit=4`)).text(), whole);
    assert.equal((await test.call("GET", path)).headers.get("link"), null);
  });

  it("of an unknown workspace is empty", async () => {
    await using test = await createTestEngine();
    for (const query of ["?limit=2", "?query=x"]) {
      assert.deepEqual(await json(await test.call("GET", `/workspaces/x/threads${query}`)), []);
    }
  });

  it("is refused with a bad limit, query or uuid", async () => {
    await using test = await createTestEngine();
    const { path } = await createHarness(test, ["a"]);
    const other = await createHarness(test, ["b"]);
    const limits = ["", "0", "-1", "1001", "x", "1.5", "1e2", "+1", "99999999999"];
    const queries = [
      ...limits.map((limit) => `?limit=${encodeURIComponent(limit)}`),
      "?limit=2&before=",
      "?limit=2&before=nonsense",
      `?limit=2&before=${other.newest[0]}`,
      `?before=${crypto.randomUUID()}`,
      `?query=${"q".repeat(1001)}`,
    ];
    for (const query of queries) {
      const { error, details } = await json(await test.call("GET", path + query), 400);
      assert.equal(error, "The request is not valid.");
      assert.match(details, /^(limit|before|query): /, query);
    }
  });
});

describe("the next page of threads", () => {
  const CONFLICT = { error: "Conflict.", details: "The list changed; start again." };

  it("is 409 where the last thread of the page before moved or is gone", async () => {
    await using test = await createTestEngine();
    const { path } = await createHarness(test, names(6));
    for (const method of ["PUT", "DELETE"]) {
      const response = await test.call("GET", `${path}?limit=2`);
      const end = (await json(response))[1].uuid;
      const next = nextPath(response);
      assert.ok(next);
      await test.call(method, `/threads/${end}`, method === "PUT" ? {} : undefined);
      assert.deepEqual(await json(await test.call("GET", next), 409), CONFLICT);
    }
  });

  it("is 409 for a client that makes its address itself, too", async () => {
    await using test = await createTestEngine();
    const { path, newest } = await createHarness(test, names(4));
    const before = `${path}?limit=2&before=${newest[1]}`;
    await test.call("GET", `${path}?limit=2`);
    assert.equal((await test.call("GET", before)).status, 200);
    await test.call("PUT", `/threads/${newest[1]}`, {});
    assert.deepEqual(await json(await test.call("GET", before), 409), CONFLICT);
  });
});

describe("threads by a part of their title", () => {
  const TITLES = [
    "Grüße AUS Köln",
    "100% sure_thing",
    "ΟΔΥΣΣΕΥΣ",
    "Straße",
    "日本語の本",
    null,
    "İstanbul",
  ];
  const cases: [query: string, titles: string[]][] = [
    ["köln", ["Grüße AUS Köln"]],
    ["GRÜSSE", ["Grüße AUS Köln"]],
    ["%", ["100% sure_thing"]],
    ["_", ["100% sure_thing"]],
    ["οδυσσευς", ["ΟΔΥΣΣΕΥΣ"]],
    ["σευσ", ["ΟΔΥΣΣΕΥΣ"]],
    ["STRASSE", ["Straße"]],
    ["本語", ["日本語の本"]],
    ["istanbul", []],
    ["i̇STANBUL", ["İstanbul"]],
    ["%ü%", []],
    ["[a-z]", []],
    ["'; DROP TABLE threads", []],
  ];

  it("are found whatever the case, and no character is a wildcard", async () => {
    await using test = await createTestEngine();
    const { path } = await createHarness(test, TITLES);
    for (const [query, titles] of cases) {
      const found = await json(
        await test.call("GET", `${path}?query=${encodeURIComponent(query)}`),
      );
      assert.deepEqual(
        found.map(({ title }: { title: string }) => title),
        titles,
        query,
      );
    }
    const all = await json(await test.call("GET", `${path}?query=`));
    assert.equal(all.length, TITLES.length);
  });

  it("come in pages, over more threads than one read", async () => {
    await using test = await createTestEngine();
    const titles = Array.from({ length: 450 }, (_, at) =>
      at % 90 === 0 ? `Match ${at}` : "other",
    );
    const { path } = await createHarness(test, titles);
    const seen: string[] = [];
    let next: string | undefined = `${path}?query=match&limit=2`;
    while (next !== undefined) {
      const response = await test.call("GET", next);
      next = nextPath(response);
      seen.push(...(await json(response)).map(({ title }: { title: string }) => title));
    }
    assert.deepEqual(seen, ["Match 360", "Match 270", "Match 180", "Match 90", "Match 0"]);
  });
});
