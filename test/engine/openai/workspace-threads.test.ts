import assert from "node:assert/strict";
import { describe, it } from "node:test";
import OpenAI from "openai";
import {
  ask,
  assistant,
  connect,
  createWorkspaceBench,
  type Messages,
  sentTo,
  storedIn,
  user,
} from "../../support/engine/door-workspace.ts";
import { empty, json } from "../../support/http.ts";

describe("the thread of a workspace as a model", () => {
  it("keeps one thread for a client that sends its whole conversation each time", async () => {
    await using bench = await createWorkspaceBench(["1"], ["2"], ["other"], ["3"]);
    const first = await ask(bench, [{ role: "system", content: "Be brief." }, user("one")]);
    const said: Messages = [user("one"), assistant("1")];
    const second = await ask(bench, [...said, user("two")]);
    assert.equal(second.threadUuid, first.threadUuid);
    // The same beginning, and another question: the conversation was edited.
    const edited = await ask(bench, [...said, user("2, please")]);
    assert.notEqual(edited.threadUuid, first.threadUuid);
    const third = await ask(bench, [...said, user("two"), assistant("2"), user("three")]);
    assert.equal(third.threadUuid, first.threadUuid);
    assert.deepEqual(await storedIn(bench, first.threadUuid), [
      ["user", "one"],
      ["assistant", "1"],
      ["user", "two"],
      ["assistant", "2"],
      ["user", "three"],
      ["assistant", "3"],
    ]);
    assert.deepEqual(await storedIn(bench, edited.threadUuid), [
      ["user", "one"],
      ["assistant", "1"],
      ["user", "2, please"],
      ["assistant", "other"],
    ]);
    assert.deepEqual(sentTo(bench, 2), ["one", "1", "2, please"]);
    assert.match(bench.model.requests[0]?.instructions ?? "", /\n\nBe brief\.$/);
    assert.doesNotMatch(bench.model.requests[1]?.instructions ?? "", /Be brief/);
  });

  it("is another thread for another key, another workspace, and once a person went on in it", async () => {
    await using bench = await createWorkspaceBench(["1"], ["2"], ["3"], ["4"], ["5"]);
    const first = await ask(bench, [user("one")]);
    const next = [user("one"), assistant("1"), user("two")];
    const { key } = await bench.createKey();
    const other = await ask({ client: connect(bench, key) }, next);
    assert.notEqual(other.threadUuid, first.threadUuid);
    const input = { threadUuid: first.threadUuid, role: "user", content: "and I?" };
    await json(await bench.test.call("POST", "/messages", input));
    const later = await ask(bench, next);
    assert.notEqual(later.threadUuid, first.threadUuid);
    assert.equal((await storedIn(bench, first.threadUuid)).length, 3);
  });

  it("names its thread by X-Thread: then the stored messages count", async () => {
    await using bench = await createWorkspaceBench(["1"], ["2"], ["3"], ["4"]);
    const said: Messages = [user("zero"), assistant("0"), user("one")];
    const first = await ask(bench, said, "mine");
    assert.deepEqual(await storedIn(bench, first.threadUuid), [
      ["user", "zero"],
      ["assistant", "0"],
      ["user", "one"],
      ["assistant", "1"],
    ]);
    const second = await ask(
      bench,
      [user("changed"), assistant("x"), user("two"), user("three")],
      "mine",
    );
    assert.equal(second.threadUuid, first.threadUuid);
    assert.deepEqual(sentTo(bench, 1), ["zero", "0", "one", "1", "two", "three"]);
    const { key } = await bench.createKey();
    const other = await ask({ client: connect(bench, key) }, [user("one")], "mine");
    assert.notEqual(other.threadUuid, first.threadUuid);
    await empty(await bench.test.call("DELETE", `/threads/${first.threadUuid}`));
    const anew = await ask(bench, [user("again")], "mine");
    assert.notEqual(anew.threadUuid, first.threadUuid);
    for (const label of [first.threadUuid, "x".repeat(257)]) {
      await assert.rejects(ask(bench, [user("?")], label), OpenAI.BadRequestError);
    }
  });
});
