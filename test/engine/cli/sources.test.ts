import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toSourceText } from "../../../engine/cli/chat-turn.ts";

describe("a source of an answer", () => {
  const read = { startLine: 1, endLine: 2, from: "read", sensitive: false } as const;
  const table = [
    ["is the place in its folder", { ...read, rootIndex: 1, path: "a.md" }, "/code/a.md:1-2"],
    ["is the path of this machine", { ...read, rootIndex: null, path: "/x/b" }, "/x/b:1-2"],
    [
      "has no lines where they are not known",
      { ...read, rootIndex: 0, path: "c.pdf", startLine: null, endLine: null },
      "/notes/c.pdf",
    ],
    [
      "says that its file was withheld",
      {
        rootIndex: 0,
        path: ".env",
        startLine: null,
        endLine: null,
        from: "search",
        sensitive: true,
      },
      "/notes/.env (withheld)",
    ],
  ] as const;
  for (const [what, source, expected] of table) {
    it(what, () => assert.equal(toSourceText(source, ["/notes", "/code"]), expected));
  }
});
