// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { createTestEngine, type TestEngine } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  Link,
  PATH_CALLS,
  type PathCall,
  type TestFolder,
} from "../../support/engine/files.ts";

interface Fixture extends AsyncDisposable {
  engine: TestEngine;
  uuid: string;
  outer: TestFolder;
}

const ON_WINDOWS = process.platform === "win32";

/** A root with one of everything, beside a folder that nothing may touch. */
async function openFixture(): Promise<Fixture> {
  const outer = await createTestFolder({
    outside: { "secret.txt": "secret", deep: { "secret.txt": "secret", "secret.png": "secret" } },
    root: {
      "file.txt": "inside",
      folder: { "inner.txt": "inner" },
      "to-file.txt": new Link("file.txt"),
      "to-file.png": new Link("file.txt"),
      "to-folder": new Link("folder"),
      "to-outside": new Link("../outside"),
      "to-secret.txt": new Link("../outside/secret.txt"),
      "to-nowhere.txt": new Link("nowhere.txt"),
      "to-nowhere": new Link("../outside/made-through-link"),
      "loop.txt": new Link("loop.txt"),
      "to-proc": new Link("/proc/self"),
    },
  });
  const engine = await createTestEngine();
  const uuid = await createWorkspaceOver(engine, [outer.at("root")]);
  return {
    engine,
    uuid,
    outer,
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await outer[Symbol.asyncDispose]();
    },
  };
}

async function answer(operation: PathCall, { engine, uuid }: Fixture, path: string) {
  const response = await operation.call(engine, uuid, path);
  return { status: response.status, text: await response.text() };
}

/** Runs `use`, then holds that nothing was created, changed or removed. */
async function unchanged(fixture: Fixture, use: () => Promise<void>): Promise<void> {
  const before = await fixture.outer.tree();
  await use();
  assert.deepEqual(await fixture.outer.tree(), before);
  assert.equal(await fixture.outer.read("root/file.txt"), "inside");
  assert.equal(await fixture.outer.read("outside/secret.txt"), "secret");
}

const NO_PATHS = [
  ".",
  "..",
  "../outside",
  "../outside/secret.txt",
  "folder/../../outside/secret.txt",
  "folder/..",
  "./file.txt",
  "folder//inner.txt",
  "file.txt/",
  "/",
  "/etc/passwd",
  "//server/share/file.txt",
  "C:/Windows/win.ini",
  "C:\\Windows\\win.ini",
  "\\\\server\\share\\file.txt",
  "\\\\?\\C:\\file.txt",
  "\\\\.\\NUL",
  "..\\outside\\secret.txt",
  "folder\\..\\..\\outside\\secret.txt",
  "file.txt\0",
  "file.txt\0.png",
  "x".repeat(4096),
  `${"y".repeat(300)}.txt`,
  `${"a/".repeat(4000)}file.txt`,
];

// Right as text, so that only the disk knows them, which does not.
const MISSING_PATHS = [
  "%2e%2e/outside/secret.txt",
  "%2e%2e%2foutside",
  "..%5coutside",
  "\uff0e\uff0e/outside",
  "~/secret.txt",
  "$HOME/secret.txt",
  "-rf",
  "missing/file.txt",
  `${"a/".repeat(2000)}file.txt`,
  "file\u0301.txt/inner.txt",
  "\u{1f600}/file.txt",
  "file.txt/inner.txt",
];

const LINKS = [
  "to-file.txt",
  "to-file.png",
  "to-folder",
  "to-outside",
  "to-secret.txt",
  "to-nowhere.txt",
  "to-nowhere",
  "loop.txt",
  "to-proc",
];

const BEHIND_LINKS = [
  "to-folder/inner.txt",
  "to-outside/secret.txt",
  "to-outside/deep",
  "to-outside/deep/secret.txt",
  "to-outside/deep/secret.png",
  "to-outside/new.txt",
  "to-nowhere/new.txt",
  "loop.txt/new.txt",
  "to-proc/environ",
  "to-proc/cwd/package.json",
  "to-file.txt/inner.txt",
];

for (const operation of PATH_CALLS) {
  describe(operation.name, () => {
    it("any other text than a path below a root is 400", async () => {
      await using fixture = await openFixture();
      await unchanged(fixture, async () => {
        for (const path of operation.rootAllowed ? NO_PATHS : ["", ...NO_PATHS]) {
          const { status, text } = await answer(operation, fixture, path);
          assert.equal(status, 400, `${JSON.stringify(path.slice(0, 80))}: ${text}`);
          assert.equal(typeof JSON.parse(text).error, "string");
        }
      });
    });

    it("spellings that never decode to a path outside are only names, and missing", async () => {
      await using fixture = await openFixture();
      await unchanged(fixture, async () => {
        for (const path of MISSING_PATHS) {
          // The file that the move is about.
          if (operation.name === "move to" && path.startsWith("file.txt/")) continue;
          const leaf = path.split("/").at(-1) ?? "";
          // What is created below an existing folder is created: those paths are not for this test.
          if (["create", "mkdir"].includes(operation.name) && !path.includes("/")) continue;
          if (["read", "replace", "create"].includes(operation.name) && !leaf.endsWith(".txt"))
            continue;
          const asked = operation.name === "preview" ? `${path}.png` : path;
          const { status, text } = await answer(operation, fixture, asked);
          assert.equal(status, 404, `${JSON.stringify(path.slice(0, 80))}: ${text}`);
          assert.deepEqual(JSON.parse(text), { error: "Path not found." });
        }
      });
    });

    it("a link is 403 at any position and with any target", async () => {
      await using fixture = await openFixture();
      await unchanged(fixture, async () => {
        for (const path of [...LINKS, ...BEHIND_LINKS]) {
          const withExtension = nameFor(operation, path);
          if (withExtension === undefined) continue;
          const { status, text } = await answer(operation, fixture, withExtension);
          assert.equal(status, 403, `${path}: ${text}`);
          assert.doesNotMatch(text, /secret"|outside|nowhere/);
        }
      });
    });

    it("FIFOs, sockets and devices are refused at once", async () => {
      await using fixture = await openFixture();
      await using _socket = await addSpecialFiles(fixture.outer);
      for (const name of ["fifo", "socket", "device"]) {
        const path = operation.name === "preview" ? `${name}.png` : `${name}.txt`;
        if (ON_WINDOWS || (name === "device" && process.getuid?.() !== 0)) continue;
        const { status, text } = await answer(operation, fixture, path);
        const taken = ["create", "mkdir"].includes(operation.name);
        assert.equal(status, taken ? 409 : 400, `${path}: ${text}`);
        const below = await answer(operation, fixture, `${path}/${path}`);
        assert.equal(below.status, 404, `below ${path}: ${below.text}`);
      }
    });
  });
}

// Where an operation judges by the extension first, only names with one tell anything about links.
function nameFor(operation: PathCall, path: string): string | undefined {
  if (operation.name === "preview") return path.endsWith(".png") ? path : undefined;
  if (["read", "create", "replace"].includes(operation.name))
    return path.endsWith(".txt") ? path : undefined;
  return path;
}

async function addSpecialFiles(outer: TestFolder): Promise<AsyncDisposable> {
  const server = createServer();
  const close = async () => void server.close();
  if (ON_WINDOWS) return { [Symbol.asyncDispose]: close };
  // Only the superuser may make devices; this one is /dev/zero, which never ends. One shell for all: a start of a program is slow here.
  const devices =
    process.getuid?.() === 0 ? "; for at in txt png; do mknod device.$at c 1 5; done" : "";
  const script = `set -e; mkfifo fifo.txt fifo.png${devices}`;
  execFileSync("sh", ["-c", script], { cwd: outer.at("root") });
  const listening = Promise.withResolvers<void>();
  server.listen(outer.at("root", "socket.txt"), () => listening.resolve());
  await listening.promise;
  const other = createServer();
  other.listen(outer.at("root", "socket.png"));
  return {
    async [Symbol.asyncDispose]() {
      other.close();
      server.close();
    },
  };
}

it("a root that is a link, a file, missing or relative is 400 at every operation", async () => {
  await using fixture = await openFixture();
  const { engine, outer } = fixture;
  await unchanged(fixture, async () => {
    for (const root of [
      "root/to-folder",
      "root/to-outside",
      "root/to-nowhere",
      "root/loop.txt",
      "root/file.txt",
      "root/gone",
    ]) {
      for (const written of [outer.at(root), `${outer.at(root)}/`]) {
        const uuid = await createWorkspaceOver(engine, [written]);
        for (const operation of PATH_CALLS) {
          const path = operation.name === "preview" ? "inner.png" : "inner.txt";
          const response = await operation.call(engine, uuid, path);
          assert.equal(response.status, 400, `${operation.name} in ${written}`);
          const { details, ...body } = (await response.json()) as Record<string, string>;
          assert.deepEqual(body, { error: "Invalid root." });
          assert.ok(details?.startsWith(`directories[0] "${written}" `), details);
        }
      }
    }
  });
});
