import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { LOG_FILE_BYTES_MAX } from "../../../engine/limits.ts";
import { createDataDirectory } from "../../../engine/runtime/data-directory.ts";
import { holdInstance } from "../../../engine/runtime/instance-lock.ts";
import { openLogFile } from "../../../engine/runtime/log-file.ts";
import { isLoopbackHost } from "../../../engine/runtime/loopback.ts";
import { publishRuntimeFile, readRuntimeFile } from "../../../engine/runtime/runtime-file.ts";
import { StartRefused } from "../../../shared/failure.ts";
import { temporaryDirectory } from "../../support/engine/process.ts";

let parent: string;
beforeEach(() => {
  parent = temporaryDirectory();
});
afterEach(() => rmSync(parent, { recursive: true }));

const INFO = {
  version: "1.2.3",
  pid: 42,
  host: "127.0.0.1",
  port: 7717,
  token: "t",
  startedAt: "2026-01-02T03:04:05.000Z",
};

describe("loopback", () => {
  const hosts: [string, boolean][] = [
    ["127.0.0.1", true],
    ["127.255.255.254", true],
    ["localhost", true],
    ["LOCALHOST", true],
    ["::1", true],
    ["[::1]", true],
    ["0:0:0:0:0:0:0:1", true],
    ["128.0.0.1", false],
    ["0.0.0.0", false],
    ["::", false],
    ["::ffff:127.0.0.1", false],
    ["[127.0.0.1]", false],
    ["[localhost]", false],
    ["localhost.", false],
    ["localhost.example", false],
    ["127.0.0.1.example", false],
    ["127.1", false],
    ["", false],
  ];
  for (const [host, expected] of hosts) {
    it(`${JSON.stringify(host)} ${expected ? "is" : "is not"}`, () => {
      assert.equal(isLoopbackHost(host), expected);
    });
  }
});

describe("the data directory", () => {
  it("is created private, and an open one becomes private with its content", async () => {
    const path = join(parent, "a", "b");
    const directory = await createDataDirectory(path);
    assert.equal(statSync(path).mode & 0o777, 0o700);
    assert.equal(statSync(directory.logs).mode & 0o777, 0o700);
    writeFileSync(directory.database, "");
    chmodSync(path, 0o777);
    await createDataDirectory(path);
    assert.equal(statSync(path).mode & 0o777, 0o700);
  });

  it("refuses the start where a file is in its place", async () => {
    writeFileSync(join(parent, "file"), "");
    await assert.rejects(createDataDirectory(join(parent, "file")), StartRefused);
    await assert.rejects(createDataDirectory(join(parent, "file", "below")), StartRefused);
  });

  it("refuses a folder with foreign content by name, and leaves it alone", async () => {
    writeFileSync(join(parent, "notes.txt"), "");
    chmodSync(parent, 0o755);
    await assert.rejects(createDataDirectory(parent), {
      name: "StartRefused",
      message: `The data directory ${parent} is not empty and holds no engine.db. Set ENGINE_DATA_DIR to a directory of its own.`,
    });
    assert.equal(statSync(parent).mode & 0o777, 0o755);
    assert.deepEqual(readdirSync(parent), ["notes.txt"]);
  });
});

describe("the instance lock", () => {
  it("is held by one engine, and by the next after its release", async () => {
    const directory = await createDataDirectory(parent);
    const first = await holdInstance(directory);
    await assert.rejects(holdInstance(directory), /^StartRefused: .*still starting/);
    await publishRuntimeFile(directory.runtimeFile, INFO);
    await assert.rejects(holdInstance(directory), /http:\/\/127\.0\.0\.1:7717 \(process 42\)/);
    first[Symbol.dispose]();
    (await holdInstance(directory))[Symbol.dispose]();
  });

  it("refuses the start where its file cannot be used", async () => {
    const directory = await createDataDirectory(parent);
    mkdirSync(directory.lock);
    await assert.rejects(holdInstance(directory), StartRefused);
  });

  it("reports that a damaged file may be deleted", async () => {
    const directory = await createDataDirectory(parent);
    writeFileSync(directory.lock, "garbage ".repeat(1000));
    await assert.rejects(holdInstance(directory), {
      message: `The lock file ${directory.lock} is damaged. It may be deleted: it holds nothing.`,
    });
  });

  it("reports the running engine where its runtime.json is damaged", async () => {
    const directory = await createDataDirectory(parent);
    using _first = await holdInstance(directory);
    writeFileSync(directory.runtimeFile, "garbage");
    await assert.rejects(holdInstance(directory), {
      message: `Another engine is already running on ${parent}, and its runtime.json is damaged.`,
    });
  });
});

describe("runtime.json", () => {
  it("is written whole and private, and leaves nothing else behind", async () => {
    const path = join(parent, "runtime.json");
    await using _published = await publishRuntimeFile(path, INFO);
    assert.deepEqual(await readRuntimeFile(path), INFO);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(parent), ["runtime.json"]);
  });

  it("takes the place of a link without touching what it points to", async () => {
    const path = join(parent, "runtime.json");
    writeFileSync(join(parent, "victim"), "untouched");
    symlinkSync(join(parent, "victim"), path);
    await using _published = await publishRuntimeFile(path, INFO);
    assert.equal(readFileSync(join(parent, "victim"), "utf8"), "untouched");
    assert.ok(lstatSync(path).isFile());
  });

  it("is removed by the engine that wrote it, and by no other", async () => {
    const path = join(parent, "runtime.json");
    const published = await publishRuntimeFile(path, INFO);
    for (const other of [{ token: "another" }, { pid: 43 }]) {
      writeFileSync(path, JSON.stringify({ ...INFO, ...other }));
      await published[Symbol.asyncDispose]();
      assert.ok(existsSync(path));
    }
    writeFileSync(path, "garbage");
    await published[Symbol.asyncDispose]();
    assert.ok(existsSync(path));
    writeFileSync(path, JSON.stringify(INFO));
    await published[Symbol.asyncDispose]();
    assert.ok(!existsSync(path));
    await published[Symbol.asyncDispose]();
  });

  it("refuses the start where it cannot be written", async () => {
    mkdirSync(join(parent, "runtime.json"));
    await assert.rejects(publishRuntimeFile(join(parent, "runtime.json"), INFO), StartRefused);
    assert.deepEqual(readdirSync(parent), ["runtime.json"]);
  });
});

describe("the log file", () => {
  it("is private, continues after a restart, and stays below twice its bound", () => {
    const path = join(parent, "engine.log");
    {
      using first = openLogFile(parent);
      first.write("one\n");
    }
    {
      using second = openLogFile(parent);
      second.write("two\n");
    }
    assert.equal(readFileSync(path, "utf8"), "one\ntwo\n");
    assert.equal(statSync(path).mode & 0o777, 0o600);

    using log = openLogFile(parent);
    const line = `${"x".repeat(64 * 1024 - 1)}\n`;
    for (let written = 0; written < 3 * LOG_FILE_BYTES_MAX; written += line.length) log.write(line);
    assert.deepEqual(readdirSync(parent).sort(), ["engine.1.log", "engine.log"]);
    for (const name of readdirSync(parent)) {
      assert.ok(statSync(join(parent, name)).size <= LOG_FILE_BYTES_MAX + line.length);
    }
  });
});
