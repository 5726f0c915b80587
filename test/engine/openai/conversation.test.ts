import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SentMessage } from "../../../engine/openai/completion-request.ts";
import { hashConversation, newestOf, toConversation } from "../../../engine/openai/conversation.ts";
import { OpenAiError } from "../../../engine/openai/errors.ts";

const user = (content: unknown): SentMessage => ({ role: "user", content });
const assistant = (content: unknown): SentMessage => ({ role: "assistant", content });
const text = (said: string) => ({ type: "text", text: said });
const PNG = "data:image/png;base64,iVBORw==";

describe("the messages of a client", () => {
  it("become instructions, what was said before, and the question", () => {
    const messages = [
      { role: "system", content: "Be brief." },
      user("one"),
      assistant("1"),
      { role: "developer", content: [text("Be"), text("kind.")] },
      user([text("two"), text("lines")]),
      { role: "assistant", content: null, tool_calls: [{ id: "call_1" }] },
      { role: "tool", tool_call_id: "call_1", content: "result" },
      assistant(""),
      user("three"),
    ];
    assert.deepEqual(toConversation(messages), {
      instructions: "Be brief.\n\nBe\nkind.",
      earlier: [
        { role: "user", content: "one" },
        { role: "assistant", content: "1" },
        { role: "user", content: "two\nlines" },
      ],
      question: "three",
      files: [],
    });
  });

  it("bring files with the question alone", () => {
    const image = { type: "image_url", image_url: { url: PNG } };
    const file = {
      type: "file",
      file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" },
    };
    const audio = { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } };
    const messages = [user([image]), assistant("A dot."), user([text("And?"), image, file, audio])];
    const { question, files, earlier } = toConversation(messages);
    assert.equal(question, "And?");
    assert.deepEqual(earlier[0], { role: "user", content: "" });
    assert.deepEqual(files, [
      { name: "image-2", media_type: "image/png", data: "iVBORw==" },
      { name: "a.pdf", media_type: "application/pdf", data: "JVBERg==" },
      { name: "audio-4.wav", media_type: "audio/wav", data: "UklGRg==" },
    ]);
  });

  for (const [what, messages, param] of [
    ["an answer at the end", [user("one"), assistant("1")], "messages"],
    ["system messages alone", [{ role: "system", content: "x" }], "messages"],
    ["an unknown role", [{ role: "critic", content: "x" }, user("x")], "messages.0.role"],
    ["a content that is a number", [user(1)], "messages.0.content"],
    ["a part that is a text", [user(["x"])], "messages.0.content"],
    ["an unknown part", [user([{ type: "video" }])], "messages.0.content.0.type"],
    [
      "an image elsewhere",
      [user([text("x"), { type: "image_url", image_url: { url: "https://x/" } }])],
      "messages.0.content.1.image_url.url",
    ],
    [
      "an image on this machine",
      [user([{ type: "image_url", image_url: "file:///etc/passwd" }])],
      "messages.0.content.0.image_url.url",
    ],
    [
      "a file by its id",
      [user([{ type: "file", file: { file_id: "x" } }])],
      "messages.0.content.0.file.file_data",
    ],
    ["too many messages", Array.from({ length: 2001 }, () => user("x")), "messages"],
  ] as const) {
    it(`are refused for ${what}`, () => {
      assert.throws(
        () => toConversation(messages),
        (error) =>
          error instanceof OpenAiError && error.status === 400 && error.fields.param === param,
      );
    });
  }

  it("are new behind the last answer, where a thread is named", () => {
    const conversation = toConversation([user("one"), assistant("1"), user("two"), user("three")]);
    assert.deepEqual(newestOf(conversation), [{ role: "user", content: "two" }]);
    assert.deepEqual(newestOf(toConversation([user("one"), user("two")])), [
      { role: "user", content: "one" },
    ]);
  });

  it("are equal by role and text alone", async () => {
    const hashOf = (...messages: SentMessage[]) =>
      hashConversation(toConversation(messages).earlier);
    const one = await hashOf(user("a"), assistant("b"), user("?"));
    assert.equal(await hashOf({ ...user([text("a")]), name: "n" }, assistant("b"), user("!")), one);
    assert.notEqual(await hashOf(user("ab"), assistant(""), user("?")), one);
    assert.notEqual(await hashOf(user("a"), user("b"), user("?")), one);
  });
});
