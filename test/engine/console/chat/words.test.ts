import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  mentionAt,
  mentionsIn,
  withMention,
} from "../../../../engine/console/page/chat/mention.ts";
import { groupThreads } from "../../../../engine/console/page/chat/thread-groups.ts";
import {
  countOf,
  describeCall,
  subjectOf,
} from "../../../../engine/console/page/chat/tool-words.ts";

describe("a tool call", () => {
  const folders = ["/home/ada/notes", "/home/ada/photos"];
  const calls: [tool: string, args: Record<string, unknown>, asked: string, told: string][] = [
    [
      "create_workspace_file",
      { root_index: 0, path: "summary.md" },
      "Create summary.md in notes",
      "Created summary.md in notes",
    ],
    [
      "read_workspace_file",
      { root_index: 1, path: "a/b/c.md" },
      "Read c.md in photos/a/b",
      "Read c.md in photos/a/b",
    ],
    ["delete_path", { path: "/etc/hosts" }, "Delete hosts in etc", "Deleted hosts in etc"],
    ["search_workspace_index", { query: "x" }, "Search your folders", "Searched your folders"],
    ["list_workspace_folder", { root_index: 0, path: "" }, "List notes", "Listed notes"],
    ["create_note", { title: "Tea" }, "Create note", "Created note"],
    ["mcp_github_close_issue", {}, "Use close issue of github", "Used close issue of github"],
    ["toast", {}, "Use toast", "Used toast"],
  ];
  for (const [toolName, args, asked, told] of calls) {
    it(`in words is “${told}”`, () => {
      const call = { toolName, arguments: args };
      assert.equal(describeCall(call, folders, "before"), asked);
      assert.equal(describeCall(call, folders, "after"), told);
    });
  }

  it("names the server as it is configured", () => {
    const call = { toolName: "mcp_github_delete", arguments: {} };
    assert.equal(describeCall(call, folders, "before", "git_hub"), "Use delete of git_hub");
  });

  it("says what it is about, and how much it brought", () => {
    assert.equal(subjectOf({ toolName: "create_note", arguments: { title: "Tea" } }), "“Tea”");
    assert.equal(subjectOf({ toolName: "a", arguments: "{" }), "");
    const passages = { results: [1, 2] };
    assert.equal(countOf({ toolName: "search_workspace_index", result: passages }), "2 passages");
    assert.equal(countOf({ toolName: "list_todos", result: [1] }), "1 entry");
    assert.equal(countOf({ toolName: "get_current_time", result: "now" }), "");
  });
});

describe("a file that a message names", () => {
  const typed = [
    ["look at @bre", 12, "bre"],
    ["@", 1, ""],
    ["look at @bread.md now", 21, undefined],
    ["ada@example.org", 15, undefined],
    ["@bread and more", 6, "bread"],
  ] as const;
  for (const [text, caret, name] of typed) {
    it(`${text}: ${name}`, () => assert.equal(mentionAt(text, caret), name));
  }

  it("takes the place of what was typed, and counts as long as it stands there", () => {
    assert.deepEqual(withMention("look at @bre", 12, "a/bread.md"), ["look at @a/bread.md ", 20]);
    assert.deepEqual(withMention("@br and more", 3, "bread.md"), ["@bread.md and more", 10]);
    const mention = { rootIndex: 0, path: "bread.md" };
    assert.deepEqual(mentionsIn("read @bread.md", [mention]), [mention]);
    assert.deepEqual(mentionsIn("read bread.md", [mention]), []);
  });
});

it("chats are grouped by the days of this machine, pinned ones first", () => {
  const now = new Date(2026, 10, 23, 12).getTime();
  const daysAgo = (days: number, uuid: string) => ({
    uuid,
    updatedAt: new Date(2026, 10, 23 - days, 0, 30).toISOString(),
  });
  const threads = [
    daysAgo(0, "a"),
    daysAgo(1, "b"),
    daysAgo(3, "c"),
    daysAgo(7, "d"),
    daysAgo(30, "e"),
    daysAgo(31, "f"),
  ];
  const groups = groupThreads(threads, ["d"], now);
  assert.deepEqual(
    groups.map(([title, found]) => [title, found.map(({ uuid }) => uuid).join("")]),
    [
      ["Pinned", "d"],
      ["Today", "a"],
      ["Yesterday", "b"],
      ["Previous 7 days", "c"],
      ["October 2026", "ef"],
    ],
  );
});
