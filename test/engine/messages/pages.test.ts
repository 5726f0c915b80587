import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness } from "../../support/engine/chat.ts";
import { json, nextPath } from "../../support/http.ts";

async function createMessages(count: number) {
  const harness = await createChatHarness();
  const { test, threadUuid } = harness;
  const uuids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const body = { threadUuid, role: "user", content: `m${at}` };
    uuids.push((await json(await test.call("POST", "/messages", body))).uuid);
  }
  const path = `/threads/${threadUuid}/messages`;
  const list = async (query: string): Promise<string[]> => {
    const listed = await json(await test.call("GET", path + query));
    return listed.map(({ uuid }: { uuid: string }) => uuid);
  };
  return { harness, test, path, uuids, list };
}

describe("a page of messages", () => {
  it("has the newest ones, oldest first; its links lead back through all others", async () => {
    const { harness, test, path, uuids } = await createMessages(7);
    await using _harness = harness;
    for (const limit of [1, 3, 7, 1000]) {
      let seen: string[] = [];
      let next: string | undefined = `${path}?limit=${limit}`;
      while (next !== undefined) {
        const response = await test.call("GET", next);
        next = nextPath(response);
        const page: { uuid: string }[] = await json(response);
        assert.ok(page.length <= limit);
        seen = [...page.map(({ uuid }) => uuid), ...seen];
      }
      assert.deepEqual(seen, uuids, String(limit));
    }
  });

  it("before a message is not moved by later ones", async () => {
    const { harness, test, path, uuids, list } = await createMessages(5);
    await using _harness = harness;
    const next = nextPath(await test.call("GET", `${path}?limit=2`));
    await test.call("POST", "/messages", {
      threadUuid: harness.threadUuid,
      role: "user",
      content: "later",
    });
    assert.deepEqual(
      (await json(await test.call("GET", next!))).map(({ uuid }: { uuid: string }) => uuid),
      uuids.slice(1, 3),
    );
    assert.deepEqual(await list(`?before=${uuids[2]}`), uuids.slice(0, 2));
    assert.deepEqual(await list(`?before=${uuids[0]}&limit=5`), []);
  });

  it("of an unknown thread is empty; a bad limit or uuid is refused", async () => {
    const { harness, test, path } = await createMessages(2);
    await using _harness = harness;
    assert.deepEqual(await json(await test.call("GET", "/threads/x/messages?limit=3")), []);
    const other = await createMessages(1);
    await using _other = other.harness;
    const queries = ["limit=", "limit=0", "limit=1001", "limit=a", "before=", "before=x"];
    for (const query of [...queries, `before=${other.uuids[0]}`, `before=${harness.threadUuid}`]) {
      const { details } = await json(await test.call("GET", `${path}?${query}`), 400);
      assert.match(details, /^(limit|before): /, query);
    }
  });
});
