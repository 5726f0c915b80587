import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isAddressable, joinPath, parseRelativePath } from "../../../engine/files/relative-path.ts";
import { anyText } from "../../support/arbitraries.ts";

const INVALID = { code: "invalid", message: "Invalid path." };

function refused(text: string, windows: boolean, rule: RegExp) {
  const run = () => parseRelativePath(text, { windows });
  assert.throws(run, INVALID, JSON.stringify(text));
  assert.throws(run, (error: Error & { details?: string }) => rule.test(error.details ?? ""), text);
}

// Refused on every platform.
const HOSTILE: [string, RegExp][] = [
  ["", /path: must not be empty/],
  [".", /`\.` or `\.\.`/],
  ["..", /`\.\.`/],
  ["../secret", /`\.\.`/],
  ["a/../../secret", /`\.\.`/],
  ["a/..", /`\.\.`/],
  ["a/./b", /`\.`/],
  ["./a", /`\.`/],
  ["a//b", /empty segment/],
  ["a/", /empty segment/],
  ["/", /relative to the root/],
  ["/etc/passwd", /relative to the root/],
  ["//server/share", /relative to the root/],
  ["C:/Windows", /relative to the root/],
  ["c:\\Windows\\win.ini", /relative to the root/],
  ["\\\\server\\share", /relative to the root/],
  ["\\\\?\\C:\\a", /relative to the root/],
  ["\\\\.\\COM1", /relative to the root/],
  ["\\a", /relative to the root/],
  ["..\\secret", /`\.\.`/],
  ["a\\..\\..\\secret", /`\.\.`/],
  ["a/..\\b", /`\.\.`/],
  ["a\0.txt", /NUL/],
  ["\0", /NUL/],
  ["a\ud800", /surrogate/],
  ["\udc00a", /surrogate/],
  ["a/.Engine/sidecar.db", /engine's own folder/],
  ["x".repeat(4097), /at most 4096 characters/],
];

// Names on other platforms; refused on Windows.
const HOSTILE_ON_WINDOWS: [string, RegExp][] = [
  ["C:a", /must not contain any of/],
  ["C:", /must not contain any of/],
  ["a.txt:stream", /must not contain any of/],
  ["a.txt::$DATA", /must not contain any of/],
  ["a/b:c/d", /must not contain any of/],
  ["a*", /must not contain any of/],
  ['a"b', /must not contain any of/],
  ["a|b", /must not contain any of/],
  ["a?", /must not contain any of/],
  ["<a>", /must not contain any of/],
  ["a\nb", /must not contain any of/],
  ["a.", /ends in a dot or space/],
  ["a ", /ends in a dot or space/],
  ["a./b", /ends in a dot or space/],
  ["a /b", /ends in a dot or space/],
  ["...", /ends in a dot or space/],
  ["a\\\\b", /empty segment/],
  ["a\\", /empty segment/],
  ["con", /device/],
  ["CON", /device/],
  ["Nul.txt", /device/],
  ["nul.tar.gz", /device/],
  ["aux .txt", /device/],
  ["a/prn/b", /device/],
  ["COM1", /device/],
  ["com0.md", /device/],
  ["LPT9.txt", /device/],
  ["COM\u00b9", /device/],
  ["lpt\u00b3.md", /device/],
  ["CONIN$", /device/],
  ["conout$.txt", /device/],
];

const HARMLESS = [
  "a",
  "a/b/c.txt",
  ".env",
  "..a",
  "a..",
  "...a",
  "a..b/c",
  "a b",
  " a",
  "%2e%2e",
  "%2e%2e/%2e%2e",
  "%5c",
  "~",
  "~/a",
  "-rf",
  "$HOME",
  "\uff0e\uff0e",
  "caf\u00e9",
  "cafe\u0301",
  "\u{1f600}.md",
  "\u202etxt.md",
  "console",
  "com10",
  "nulls.txt",
  "x".repeat(4096),
];

describe("paths that are refused", () => {
  for (const windows of [false, true])
    it(`on ${windows ? "Windows" : "other platforms"}`, () => {
      for (const [text, rule] of HOSTILE) refused(text, windows, rule);
    });

  it("only on Windows: drives, streams, wildcards, devices, trailing dots and spaces", () => {
    for (const [text, rule] of HOSTILE_ON_WINDOWS) {
      refused(text, true, rule);
      assert.ok(parseRelativePath(text, { windows: false }).length > 0, text);
    }
  });

  it("with the name of the field that holds them", () => {
    assert.throws(() => parseRelativePath("..", { field: "sourcePath" }), {
      details: "sourcePath: must not contain `.` or `..` segments",
    });
  });
});

describe("paths that are taken", () => {
  it("as they are, split at the separator", () => {
    for (const windows of [false, true])
      for (const text of HARMLESS) {
        if (windows && text === "a..") continue;
        assert.deepEqual(parseRelativePath(text, { windows }), text.split("/"), text);
      }
  });

  it("an empty one only where it means the root", () => {
    assert.deepEqual(parseRelativePath("", { rootAllowed: true }), []);
  });

  it("with backslashes on Windows, where they separate", () => {
    assert.deepEqual(parseRelativePath("a\\b/c.txt", { windows: true }), ["a", "b", "c.txt"]);
  });

  it("a name with a backslash in it is a name elsewhere", () => {
    assert.deepEqual(parseRelativePath("a\\b", { windows: false }), ["a\\b"]);
  });

  it("no composed character is taken apart or put together", () => {
    assert.notDeepEqual(parseRelativePath("caf\u00e9"), parseRelativePath("cafe\u0301"));
  });
});

it("every accepted path stays below the root, by the rules of either platform", () => {
  const part = fc.oneof(
    fc.constantFrom("..", ".", "", "a", "\\", "/", "C:", ":", "~", "\0", " ", "..\\", "nul"),
    anyText({ maxLength: 6 }),
  );
  const separator = fc.constantFrom("/", "\\", "");
  const text = fc
    .array(fc.tuple(part, separator), { maxLength: 8 })
    .map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(text, fc.boolean(), (text, windows) => {
      const platform = windows ? path.win32 : path.posix;
      const root = windows ? "C:\\root" : "/root";
      let segments: string[];
      try {
        segments = parseRelativePath(text, { windows });
      } catch {
        return;
      }
      const full = platform.resolve(root, ...segments);
      assert.ok(full.startsWith(root + platform.sep), full);
      assert.equal(platform.relative(root, full).split(platform.sep).length, segments.length);
    }),
    { numRuns: 2000 },
  );
});

it("a name on disk is addressable exactly where a request can name it", () => {
  for (const windows of [false, true])
    for (const name of ["a", "..\\x", "\\x", "C:\\x", "a\\b", "nul", "a.", ...HARMLESS]) {
      if (name.includes("/")) continue;
      let taken = true;
      try {
        parseRelativePath(name, { windows });
      } catch {
        taken = false;
      }
      assert.equal(isAddressable(name, windows), taken, name);
    }
});

it("segments are joined as they travel: with slashes, without empty ones", () => {
  assert.equal(joinPath("", "a", "b"), "a/b");
  assert.equal(joinPath(), "");
});
