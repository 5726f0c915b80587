// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HISTORY_ATTACHMENTS_BYTES_MAX } from "../../../engine/chat/limits.ts";
import { type ChatHarness, createChatHarness } from "../../support/engine/chat.ts";
import { chat, endOf, harnessOf, startTurn } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, scriptedChat } from "../../support/providers/model.ts";

const fileOf = (name: string, text: string, media_type?: string) => ({
  name,
  data: btoa(text),
  ...(media_type === undefined ? {} : { media_type }),
});

const PICTURE = fileOf("cat.png", "picture", "image/png");

async function ask(harness: ChatHarness, ...attachments: object[]) {
  const file_context = { attachments };
  return endOf(harness, await startTurn(harness, { content: "look", file_context }));
}

describe("attachments", () => {
  it("of a message are listed, and their bytes come as a download of the type that was sent", async () => {
    await using harness = await createChatHarness();
    const { test } = harness;
    const odd = fileOf("dé'(1).html", "<script>", "no type");
    const { userMessageUuid, assistantMessageUuid } = await ask(harness, PICTURE, odd);
    const path = `/messages/${userMessageUuid}/attachments`;
    const url = `/api/v1${path}`;
    assert.deepEqual(await json(await test.call("GET", path)), [
      { name: "cat.png", mediaType: "image/png", size: 7, url: `${url}/0` },
      { name: "dé'(1).html", mediaType: "no type", size: 8, url: `${url}/1` },
    ]);
    const expected = [
      ["picture", "image/png", "attachment; filename*=UTF-8''cat.png"],
      [
        "<script>",
        "application/octet-stream",
        "attachment; filename*=UTF-8''d%C3%A9%27%281%29.html",
      ],
    ];
    for (const [at, [text, type, disposition]] of expected.entries()) {
      const response = await test.call("GET", `${path}/${at}`);
      const { headers } = response;
      assert.deepEqual(
        [await response.text(), headers.get("content-type"), headers.get("content-disposition")],
        [text, type, disposition],
      );
      assert.equal(headers.get("x-content-type-options"), "nosniff");
    }
    const none = await test.call("GET", `/messages/${assistantMessageUuid}/attachments`);
    assert.deepEqual(await json(none), []);
  });

  const MISSING = ["/2", "/-1", "/x", "/10", "/constructor"];
  for (const end of MISSING) {
    it(`are 404 at ${end}`, async () => {
      await using harness = await createChatHarness();
      const { userMessageUuid } = await ask(harness, PICTURE);
      const path = `/messages/${userMessageUuid}/attachments${end}`;
      await json(await harness.test.call("GET", path), 404);
    });
  }

  it("of an unknown message, and of a deleted one, are 404", async () => {
    await using harness = await createChatHarness();
    const { test, threadUuid } = harness;
    const { userMessageUuid } = await ask(harness, PICTURE);
    await test.call("DELETE", `/threads/${threadUuid}`);
    for (const uuid of ["none", userMessageUuid]) {
      for (const end of ["", "/0"]) {
        await json(await test.call("GET", `/messages/${uuid}/attachments${end}`), 404);
      }
    }
  });
});

/** What the model was sent of each message: its text, and the names of its files. */
const sentTo = (model: ScriptedModel, at: number) =>
  model.requests[at]!.messages.map((message) => {
    const files = message.role === "user" ? (message.attachments ?? []) : [];
    return ["content" in message && message.content, files.map(({ name }) => name).join()];
  });

describe("the attachments of earlier messages", () => {
  it("are sent again in turns of both kinds; of another type what they are", async () => {
    await using harness = await harnessOf([["1"], ["2"], ["3"]]);
    await ask(harness, PICTURE, fileOf("data.bin", "12345"));
    await endOf(harness, await startTurn(harness, { content: "and?" }));
    await chat(harness);
    const note =
      '[Attached, and not shown here: {"name":"data.bin","media_type":"application/octet-stream","size_bytes":5}]';
    const first = [`look\n\n${note}`, "cat.png"];
    assert.deepEqual(sentTo(harness.model, 1), [first, ["1", ""], ["and?", ""]]);
    assert.deepEqual(sentTo(harness.model, 2)[0], first);
  });

  it("are described to a model that takes none, and where their file is missing", async () => {
    const model = new ScriptedModel(["1"], ["2"]);
    const resolved = { acceptsAttachments: false };
    await using harness = await createChatHarness({ chat: scriptedChat(model, { resolved }) });
    await ask(harness, PICTURE);
    await ask(harness);
    const [[text, files] = []] = sentTo(model, 1);
    assert.match(String(text), /not shown here: {"name":"cat.png"/);
    assert.equal(files, "");
  });

  it("are sent up to a bound, the newest first", async () => {
    await using harness = await harnessOf([["1"], ["2"], ["3"], ["4"], ["5"], ["6"]]);
    const size = HISTORY_ATTACHMENTS_BYTES_MAX / 4;
    for (let at = 0; at < 5; at += 1) {
      await ask(harness, fileOf(`${at}.png`, String(at).repeat(size), "image/png"));
    }
    await ask(harness);
    const files = sentTo(harness.model, 5).map(([, names]) => names);
    assert.deepEqual(files.filter(Boolean), ["1.png", "2.png", "3.png", "4.png"]);
  });
});
