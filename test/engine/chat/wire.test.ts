import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ChatSend } from "../../../engine/chat/wire.ts";
import { MIB } from "../../../shared/units.ts";
import { anyText } from "../../support/arbitraries.ts";
import { createChatHarness } from "../../support/engine/chat.ts";

const base64 = (bytes: number, fill = 0) => Buffer.alloc(bytes, fill).toString("base64");

const attachment = (more: Record<string, unknown> = {}) => ({
  name: "a.txt",
  media_type: "text/plain",
  data: "aGk=",
  ...more,
});
const send = (file_context: unknown) => ({ content: "x", thread_uuid: "t", file_context });
const withAttachments = (...attachments: unknown[]) => send({ attachments });
const withFile = (more: Record<string, unknown>) =>
  send({ active_file: { root_index: 0, path: "a", ...more } });

describe("chat.send data that is valid", () => {
  const valid = [
    ["an empty content", { content: "", thread_uuid: "t" }],
    ["a workspace instead of a thread", { content: "x", workspace_uuid: "w" }],
    [
      "null for what is omitted",
      {
        content: "x",
        thread_uuid: null,
        workspace_uuid: "w",
        model_id: null,
        file_context: null,
      },
    ],
    ["unknown fields", { content: "x", thread_uuid: "t", nonsense: {} }],
    ["an empty file context", send({})],
    [
      "null inside the file context",
      send({ active_file: null, tagged_files: null, attachments: null }),
    ],
    ["a path of 1024 characters beyond the first plane", withFile({ path: "😀".repeat(1024) })],
    ["20 tagged files", send({ tagged_files: Array(20).fill({ root_index: 0, path: "a" }) })],
    ["5 attachments", withAttachments(...Array(5).fill(attachment()))],
    ["an attachment of 2 MiB", withAttachments(attachment({ data: base64(2 * MIB) }))],
    [
      "8 MiB of attachments",
      withAttachments(...Array(4).fill(attachment({ data: base64(2 * MIB) }))),
    ],
    ["an attachment without bytes", withAttachments(attachment({ data: "" }))],
    ["a name of 255 characters", withAttachments(attachment({ name: "ä".repeat(255) }))],
    ["a hidden file's name", withAttachments(attachment({ name: ".env" }))],
    [
      "a name with spaces, colons and dots",
      withAttachments(attachment({ name: "a b: 1..2.tar.gz" })),
    ],
    [
      "a media type of 255 characters",
      withAttachments(attachment({ media_type: "a".repeat(255) })),
    ],
  ] as const;
  for (const [name, data] of valid) {
    it(`has ${name}`, () => {
      const parsed = ChatSend.safeParse(data);
      assert.ok(parsed.success, parsed.error?.message);
    });
  }
});

describe("chat.send data that is not valid", () => {
  const invalid = [
    ["no content", { thread_uuid: "t" }, "content"],
    ["a content that is null", { content: null, thread_uuid: "t" }, "content"],
    ["a content that is a number", { content: 1, thread_uuid: "t" }, "content"],
    ["neither thread nor workspace", { content: "x" }, "thread_uuid"],
    ["null for both", { content: "x", thread_uuid: null, workspace_uuid: null }, "thread_uuid"],
    ["both", { content: "x", thread_uuid: "t", workspace_uuid: "w" }, "thread_uuid"],
    ["a thread that is a number", { content: "x", thread_uuid: 1 }, "thread_uuid"],
    ["a model that is a number", { content: "x", thread_uuid: "t", model_id: 1 }, "model_id"],
    ["a file context that is a list", send([]), "file_context"],
    ["a file context that is text", send("x"), "file_context"],
    ["an active file that is a path", send({ active_file: "a" }), "active_file"],
    ["a root index below zero", withFile({ root_index: -1 }), "root_index"],
    ["a root index of a half", withFile({ root_index: 0.5 }), "root_index"],
    ["a root index that is text", withFile({ root_index: "0" }), "root_index"],
    ["a root index that is a boolean", withFile({ root_index: true }), "root_index"],
    ["an empty path", withFile({ path: "" }), "path"],
    ["a path of 1025 characters", withFile({ path: "a".repeat(1025) }), "path"],
    ["a path of 1025 emoji", withFile({ path: "😀".repeat(1025) }), "path"],
    ["no path", send({ tagged_files: [{ root_index: 0 }] }), "path"],
    ["tagged files that are no list", send({ tagged_files: {} }), "tagged_files"],
    [
      "21 tagged files, all the same one",
      send({ tagged_files: Array(21).fill({ root_index: 0, path: "a" }) }),
      "tagged_files",
    ],
    ["6 attachments", withAttachments(...Array(6).fill(attachment())), "attachments"],
    ["an empty name", withAttachments(attachment({ name: "" })), "name"],
    ["a blank name", withAttachments(attachment({ name: " " })), "name"],
    ["a name of 256 characters", withAttachments(attachment({ name: "a".repeat(256) })), "name"],
    ["a name with a slash", withAttachments(attachment({ name: "a/b" })), "name"],
    ["a name with a backslash", withAttachments(attachment({ name: "a\\b" })), "name"],
    ["a name that is a parent", withAttachments(attachment({ name: ".." })), "name"],
    ["a name that is a folder", withAttachments(attachment({ name: "." })), "name"],
    ["a name with a NUL", withAttachments(attachment({ name: "a\u0000" })), "name"],
    ["a name with a line feed", withAttachments(attachment({ name: "a\nb" })), "name"],
    ["no name", withAttachments({ data: "" }), "name"],
    [
      "a media type of 256",
      withAttachments(attachment({ media_type: "a".repeat(256) })),
      "media_type",
    ],
    ["a media type that is null", withAttachments(attachment({ media_type: null })), "media_type"],
    ["no data", withAttachments({ name: "a", media_type: "" }), "data"],
    ["data that is null", withAttachments(attachment({ data: null })), "data"],
    ["2 MiB and a byte", withAttachments(attachment({ data: base64(2 * MIB + 1) })), "data"],
    [
      "8 MiB and a byte",
      withAttachments(
        ...Array(4).fill(attachment({ data: base64(2 * MIB) })),
        attachment({ data: "AA==" }),
      ),
      "attachments",
    ],
  ] as const;
  for (const [name, data, field] of invalid) {
    it(`has ${name}`, () => {
      const parsed = ChatSend.safeParse(data);
      assert.equal(parsed.success, false);
      assert.ok(
        parsed.error!.issues.some(({ path }) => path.includes(field)),
        parsed.error!.message,
      );
    });
  }

  const notBase64 = [
    "A",
    "AA",
    "AAA",
    "AA=",
    "A===",
    "AAAA=",
    "AA==AA==",
    "AA A",
    "AAAA\n",
    "AA-_",
  ];
  for (const data of [...notBase64, "QR==", "QUJ=", "%%%%", "=AAA", "ÄÄÄÄ"]) {
    it(`has an attachment whose data is ${JSON.stringify(data)}: no base64 of RFC 4648`, () => {
      assert.equal(ChatSend.safeParse(withAttachments(attachment({ data }))).success, false);
    });
  }

  it("or any other JSON ends in one terminal frame, with a reason where it fails", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid, workspaceUuid } = harness;
    const target = fc.oneof(fc.constantFrom(threadUuid, workspaceUuid, null), fc.jsonValue());
    const data = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          content: fc.oneof(anyText(), fc.jsonValue()),
          thread_uuid: target,
          workspace_uuid: target,
          model_id: fc.oneof(fc.constantFrom(null, "echo"), fc.jsonValue()),
          tools_enabled: fc.jsonValue(),
          file_context: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    let turns = 0;
    await fc.assert(
      fc.asyncProperty(data, async (given) => {
        turns += 1;
        socket.frames.length = 0;
        await socket.say({ type: "chat.send", id: `t${turns}`, data: given });
        const ended = await socket.ended(`t${turns}`);
        assert.notEqual(ended.data.error, "Internal server error.");
        assert.equal(socket.frames.at(-1), ended);
      }),
      { numRuns: 200 },
    );
  });

  it("is a correlated chat.error that names the field, and stores nothing", async () => {
    await using harness = await createChatHarness();
    const { socket, test, threadUuid } = harness;
    const cases = [
      [{ thread_uuid: threadUuid }, threadUuid],
      [{ content: "x" }, null],
      [{ content: "x", workspace_uuid: harness.workspaceUuid, model_id: 5 }, null],
      [null, null],
      [[], null],
    ] as const;
    for (const [at, [data, thread_uuid]] of cases.entries()) {
      await socket.say({ type: "chat.send", id: `t${at}`, data });
      const error = await socket.ended(`t${at}`);
      assert.equal(error.type, "chat.error");
      assert.deepEqual(Object.keys(error.data), ["thread_uuid", "error"]);
      assert.equal(error.data.thread_uuid, thread_uuid);
      assert.match(error.data.error, /content|thread_uuid|model_id/);
    }
    assert.equal(socket.frames.length, cases.length);
    assert.deepEqual(test.publishedEvents(), []);
    assert.deepEqual(await harness.stored(), []);
  });
});

describe("what chat.send means", () => {
  const contextOf = (file_context: unknown) => ChatSend.parse(send(file_context)).file_context!;

  it("tagged files are one for each root and path; the first one stays", () => {
    const { taggedFiles } = contextOf({
      tagged_files: [
        { root_index: 0, path: "a", label: "first" },
        { root_index: 0, path: "a", label: "second" },
        { root_index: 1, path: "a" },
        { root_index: 0, path: "A" },
      ],
    });
    assert.deepEqual(taggedFiles, [
      { rootIndex: 0, path: "a", label: "first" },
      { rootIndex: 1, path: "a", label: "a" },
      { rootIndex: 0, path: "A", label: "A" },
    ]);
  });

  const labels = [
    [undefined, "p"],
    [null, "p"],
    ["", "p"],
    [" \t", "p"],
    [7, "p"],
    [{}, "p"],
    ["name", "name"],
    [" kept as it is ", " kept as it is "],
    ["x".repeat(1024), "x".repeat(1024)],
    ["x".repeat(1025), "x".repeat(1024)],
    ["😀".repeat(1025), "😀".repeat(1024)],
  ] as const;
  for (const [label, expected] of labels) {
    it(`the label ${String(JSON.stringify(label)).slice(0, 20)} is ${expected.slice(0, 20)}`, () => {
      const { activeFile } = contextOf({ active_file: { root_index: 0, path: "p", label } });
      assert.equal(activeFile!.label, expected);
    });
  }

  for (const [name, media_type, expected] of [
    ["a.txt", undefined, "text/plain"],
    ["A.TXT", undefined, "text/plain"],
    ["a.b.md", undefined, "text/markdown"],
    ["a.csv", undefined, "text/csv"],
    ["a.html", undefined, "text/html"],
    ["a.bin", undefined, "application/octet-stream"],
    ["txt", undefined, "application/octet-stream"],
    ["a.constructor", undefined, "application/octet-stream"],
    ["a.txt", "", "application/octet-stream"],
    ["a.txt", "text/x", "text/x"],
  ] as const) {
    it(`the media type of ${name} with ${JSON.stringify(media_type)} is ${expected}`, () => {
      const file_context = { attachments: [{ name, media_type, data: "" }] };
      const parsed = ChatSend.parse({ content: "x", thread_uuid: "t", file_context });
      assert.equal(parsed.file_context?.attachments[0]?.mediaType, expected);
    });
  }

  it("an empty media type is application/octet-stream", () => {
    const { attachments } = contextOf({ attachments: [attachment({ media_type: "" })] });
    assert.equal(attachments[0]!.mediaType, "application/octet-stream");
  });

  it("attachments arrive byte for byte", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const data = Buffer.from(bytes).toString("base64");
        const { attachments } = contextOf({ attachments: [attachment({ data })] });
        assert.deepEqual(Buffer.from(attachments[0]!.bytes), Buffer.from(bytes));
      }),
    );
  });

  it("any JSON is parsed or refused", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        ChatSend.safeParse(value);
        ChatSend.safeParse(send(value));
        ChatSend.safeParse(withAttachments(value));
      }),
    );
  });
});
