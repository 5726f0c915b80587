import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { filterEntries, toEntries } from "../../../../engine/console/page/activity/entries.ts";
import { curlOf } from "../../../../engine/console/page/curl.ts";

const LISTED = 'curl() { printf "%s\\0" "$@"; }; ';

/** The arguments that a real shell gives to curl. */
function argumentsOf(command: string): string[] {
  const env = { PATH: process.env.PATH, TOKEN: "t-1" };
  return execFileSync("sh", ["-c", LISTED + command], { env })
    .toString()
    .split("\0")
    .slice(0, -1);
}

const NASTY = [
  "plain",
  "it's",
  "''''",
  '"double" \\ back',
  "$(touch /x) `id` $HOME $TOKEN",
  "line\nline\ttab",
  "; rm -rf / #",
  "!history * ? [a] {b,c} ~",
  "ünï 漢字 🎉",
  "",
];

describe("a request as curl", () => {
  for (const text of NASTY) {
    it(`reaches curl as it is: ${JSON.stringify(text)}`, () => {
      const body = JSON.stringify({ text });
      assert.deepEqual(argumentsOf(curlOf({ method: "PUT", url: `http://h/${text}`, body })), [
        "-g",
        "-X",
        "PUT",
        "-H",
        "Authorization: Bearer t-1",
        "-H",
        "Content-Type: application/json",
        "--data-raw",
        body,
        `http://h/${text}`,
      ]);
    });
  }

  it("of a GET has neither method nor body", () => {
    assert.deepEqual(argumentsOf(curlOf({ method: "GET", url: "http://h/a" })), [
      "-g",
      "-H",
      "Authorization: Bearer t-1",
      "http://h/a",
    ]);
  });
});

describe("what happened", () => {
  const request = { method: "GET", path: "/a", body: undefined, status: 200, durationMs: 1 };
  const entries = toEntries({
    requests: [
      { ...request, at: 1 },
      { ...request, at: 1, path: "/b" },
    ],
    changes: [{ at: 3, change: { type: "workspace.created", data: { workspaceUuid: "w-7" } } }],
    frames: [{ at: 2, id: "1", turnUuid: "t-9", event: "model.delta", data: { delta: "Hi" } }],
  });

  it("is listed with the newest first, each with a key of its own", () => {
    assert.deepEqual(
      entries.map(({ title }) => title),
      ["workspace.created", "model.delta", "GET /a", "GET /b"],
    );
    assert.equal(new Set(entries.map(({ key }) => key)).size, 4);
  });

  it("is found by kind, title and content, without case", () => {
    const all = new Set(["request", "change", "frame"] as const);
    const titles = (text: string, kinds: ReadonlySet<"request" | "change" | "frame"> = all) =>
      filterEntries(entries, kinds, text).map(({ title }) => title);
    assert.deepEqual(titles("W-7"), ["workspace.created"]);
    assert.deepEqual(titles("hi"), ["model.delta"]);
    assert.deepEqual(titles("get /B"), ["GET /b"]);
    assert.deepEqual(titles(" "), titles(""));
    assert.deepEqual(titles("", new Set(["frame"])), ["model.delta"]);
    assert.deepEqual(titles("nothing"), []);
  });
});
