import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Message } from "../../../engine/messages/wire.ts";
import type { MessageHit } from "../../../engine/search/wire.ts";
import type { Turn } from "../../../engine/turns/wire.ts";
import { type ChatHarness, createChatHarness } from "../../support/engine/chat.ts";
import { deletedRowsGone } from "../../support/engine/engine.ts";
import { endOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

const get = async ({ test }: ChatHarness, path: string) => json(await test.call("GET", path));

async function ask(harness: ChatHarness, thread: string, body: object): Promise<Turn> {
  const response = await harness.test.call("POST", `/threads/${thread}/turns`, body);
  return endOf(harness, await json(response, 202));
}

async function listed(harness: ChatHarness, query: string): Promise<string[]> {
  const threads = await get(harness, `/workspaces/${harness.workspaceUuid}/threads${query}`);
  return threads.map(({ uuid }: { uuid: string }) => uuid);
}

/** A thread with a question, a version of it, and a version of that. */
async function versions(harness: ChatHarness) {
  const first = await ask(harness, harness.threadUuid, { content: "walrus" });
  const edit = (turn: Turn, content: string) =>
    ask(harness, turn.threadUuid, { content, replaces: turn.userMessageUuid });
  const second = await edit(first, "zebra");
  const third = await edit(second, "heron");
  return [first, second, third].map(({ threadUuid }) => threadUuid) as [string, string, string];
}

describe("versions=newest", () => {
  it("lists of a conversation and its replacements the newest-updated one", async () => {
    await using harness = await createChatHarness();
    const [first, second, third] = await versions(harness);
    const fork = await harness.test.call("POST", `/threads/${first}/forks`, {});
    const { uuid: plain } = await json(fork, 201);
    assert.deepEqual(await listed(harness, ""), [plain, third, second, first]);
    assert.deepEqual(await listed(harness, "?versions=newest"), [plain, third]);
    for (const newest of [first, second]) {
      await ask(harness, newest, { content: "more" });
      assert.deepEqual(await listed(harness, "?versions=newest"), [newest, plain]);
    }
  });

  it("does so after the deletion of any of them, before and after its rows are gone", async () => {
    await using harness = await createChatHarness();
    const [first, second, third] = await versions(harness);
    const rest = [first, third, second];
    for (const [at, uuid] of rest.entries()) {
      await harness.test.call("DELETE", `/threads/${uuid}`);
      const newest = [third, second].filter((other) => !rest.slice(0, at + 1).includes(other));
      assert.deepEqual(await listed(harness, "?versions=newest"), newest.slice(0, 1));
      await deletedRowsGone(harness.test.deps.db);
      assert.deepEqual(await listed(harness, "?versions=newest"), newest.slice(0, 1));
    }
  });

  it("is a page like any other, and 400 for another value", async () => {
    await using harness = await createChatHarness();
    const [first, , third] = await versions(harness);
    const other = await json(
      await harness.test.call("POST", "/threads", { workspaceUuid: harness.workspaceUuid }),
    );
    assert.deepEqual(await listed(harness, "?versions=newest&limit=1"), [other.uuid]);
    const next = `?versions=newest&limit=2&before=${other.uuid}`;
    assert.deepEqual(await listed(harness, next), [third]);
    await harness.test.call("PUT", `/threads/${first}`, { title: "Walrus" });
    assert.deepEqual(await listed(harness, "?versions=newest&query=walr"), [first]);
    const path = `/workspaces/${harness.workspaceUuid}/threads?versions=all`;
    assert.match((await json(await harness.test.call("GET", path), 400)).details, /versions/);
  });
});

describe("a search of messages", () => {
  const found = async (harness: ChatHarness, query: string) => {
    const hits: MessageHit[] = await get(harness, `/search/messages?query=walrus${query}`);
    return hits.map(({ threadUuid, role }) => `${role} of ${threadUuid}`);
  };

  it("finds a copied message once, and in a thread its copy there", async () => {
    await using harness = await createChatHarness();
    const { test, threadUuid, workspaceUuid } = harness;
    await ask(harness, threadUuid, { content: "walrus" });
    const forks: string[] = [];
    for (const origin of [threadUuid, threadUuid, undefined]) {
      const path = `/threads/${origin ?? forks[1]}/forks`;
      forks.push((await json(await test.call("POST", path), 201)).uuid);
    }
    const both = (uuid: string) => [`assistant of ${uuid}`, `user of ${uuid}`];
    for (const scope of ["", `&workspaceUuid=${workspaceUuid}`]) {
      assert.deepEqual((await found(harness, scope)).sort(), both(threadUuid));
    }
    for (const uuid of [threadUuid, ...forks]) {
      assert.deepEqual((await found(harness, `&threadUuid=${uuid}`)).sort(), both(uuid));
    }
    const messages: Message[] = await get(harness, `/threads/${forks[2]}/messages`);
    const hits = await get(harness, `/search/messages?query=walrus&threadUuid=${forks[2]}`);
    assert.ok(messages.some(({ uuid }) => uuid === hits[0].messageUuid));
    // The first one that is left stands for all.
    const order = [threadUuid, ...forks];
    for (const [at, uuid] of order.entries()) {
      await test.call("DELETE", `/threads/${uuid}`);
      const next = order[at + 1];
      for (const isGone of [false, true]) {
        if (isGone) await deletedRowsGone(test.deps.db);
        assert.deepEqual((await found(harness, "")).sort(), next ? both(next) : []);
      }
    }
  });
});
