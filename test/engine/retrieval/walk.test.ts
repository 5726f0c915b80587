// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { holdFolder } from "../../../engine/files/within-sync.ts";
import { walkRoot } from "../../../engine/retrieval/index/walk.ts";
import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { silentLogger } from "../../../shared/log.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { temporaryRoot, writeFiles } from "../../support/engine/files.ts";
import { createRag } from "../../support/engine/retrieval.ts";
import { rounds } from "../../support/repeats.ts";

const WALKS = { once: 2_000, long: 20_000 };

const nothing = { without: undefined, onTooManyRules() {} };

function pathsOf(root: string, options = nothing as Parameters<typeof walkRoot>[1]): string[] {
  return [...walkRoot(root, options)].flatMap((found) => (found.kind === "file" ? found.path : []));
}

describe("A walk", () => {
  it("leaves the engine's data directory out, wherever it lies", async () => {
    const root = temporaryRoot();
    const data = join(root, "home", "data");
    writeFiles(root, { "a.txt": "x", "home/b.txt": "x", "home/data/runtime.json": "token" });
    try {
      assert.deepEqual(pathsOf(root, { ...nothing, without: data }), ["a.txt", "home/b.txt"]);
      assert.deepEqual(pathsOf(data, { ...nothing, without: data }), []);
      assert.deepEqual(pathsOf(data, { ...nothing, without: join(root, "home") }), []);
      symlinkSync(data, join(root, "link"));
      const config = {
        embeddings: { kind: "builtin" as const },
        dataDirectory: join(root, "link"),
      };
      await using retrieval = openRetrieval({ config, log: silentLogger });
      assert.equal((await retrieval.indexRoot({ rootIndex: 0, path: root })).indexed, 2);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("leaves a hard link to a file of the data directory out, and no other one", () => {
    const root = temporaryRoot();
    const data = join(root, "data");
    writeFiles(root, {
      "data/logs/engine.log": "x",
      "data/runtime.json": "token",
      "plain.txt": "x",
    });
    try {
      linkSync(join(data, "runtime.json"), join(root, "hard.json"));
      linkSync(join(data, "logs", "engine.log"), join(root, "hard.log"));
      linkSync(join(root, "plain.txt"), join(root, "twin.txt"));
      assert.deepEqual(pathsOf(root, { ...nothing, without: data }), ["plain.txt", "twin.txt"]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("holds no folder below a link", () => {
    const [root, outside] = [realpathSync(temporaryRoot()), realpathSync(temporaryRoot())];
    writeFiles(outside, { "below/secret.pem": "x" });
    symlinkSync(outside, join(root, "link"));
    try {
      for (const path of ["link/", "link/below/"]) {
        const held = holdFolder(root, path);
        assert.ok(typeof held === "string", path);
      }
      assert.deepEqual(pathsOf(root), []);
    } finally {
      for (const folder of [root, outside]) rmSync(folder, { recursive: true });
    }
  });

  it("never returns names through a link that replaces a folder meanwhile", async () => {
    const root = temporaryRoot();
    const outside = temporaryRoot();
    writeFiles(root, { "d/id_rsa_inside.pem": "x" });
    writeFiles(outside, { "id_rsa_outside.pem": "x" });
    // Exchanges the folder with a link as fast as it can.
    const racer = new Worker(
      `const { renameSync, symlinkSync } = require("node:fs");
       const [d, link, away] = require("node:worker_threads").workerData;
       symlinkSync(${JSON.stringify(outside)}, link);
       require("node:worker_threads").parentPort.postMessage("begins");
       for (;;) { renameSync(d, away); renameSync(link, d); renameSync(d, link); renameSync(away, d); }`,
      { eval: true, workerData: [join(root, "d"), join(root, "l"), join(root, "away")] },
    );
    await new Promise((resolve) => racer.once("message", resolve));
    try {
      const seen = new Set<string>();
      for (const _ of rounds("walks", WALKS)) for (const path of pathsOf(root)) seen.add(path);
      assert.ok(seen.has("d/id_rsa_inside.pem"));
      assert.deepEqual(
        [...seen].filter((path) => path.includes("outside")),
        [],
      );
    } finally {
      await racer.terminate();
      rmSync(root, { recursive: true });
      rmSync(outside, { recursive: true });
    }
  });

  it("does the same where folders have no address of their own", () => {
    const script = `
      const { walkRoot } = await import(${JSON.stringify(import.meta.resolve("../../../engine/retrieval/index/walk.ts"))});
      const root = process.argv[1];
      console.log([...walkRoot(root, { onTooManyRules() {} })].map((found) => found.path ?? found.kind).join(" "));`;
    const root = temporaryRoot();
    writeFiles(root, { "a.txt": "x", "d/b.txt": "x", ".ssh/key": "x" });
    symlinkSync(join(root, "d"), join(root, "link"));
    const setup = import.meta.resolve("../../whole/programs/without-descriptor-paths.ts");
    const args = ["--import", setup, "--input-type=module", "-e", script, root];
    try {
      const said = execFileSync(process.execPath, args, { encoding: "utf8" });
      assert.equal(said.trim(), "a.txt .ssh/key d/b.txt");
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe("An ignore file", () => {
  it("is applied up to 10,000 rules, and the log reports further ones", async () => {
    const said: unknown[] = [];
    const warn = (...line: unknown[]) => void said.push(line);
    const rules = Array.from({ length: 10_000 }, (_, at) => `# ${at}\nnone-${at}\n\n`).join("");
    await using rag = await createRag([
      { "a/.gitignore": `${rules}late.txt`, "a/late.txt": "x", "b/.gitignore": "early.txt" },
    ]);
    const [root = ""] = rag.roots;
    mkdirSync(join(root, "c"));
    writeFileSync(join(root, "c/x.txt"), "x");
    writeFileSync(join(root, "b/early.txt"), "x");
    await using retrieval = openRetrieval({
      config: TEST_CONFIG,
      log: { ...silentLogger, warn },
    });
    const { indexed } = await retrieval.indexRoot({ rootIndex: 0, path: root });
    assert.equal(indexed, 4);
    assert.match(JSON.stringify(said), /a\/\.gitignore.+more than 10,000 rules/);
    renameSync(join(root, "a/.gitignore"), join(root, "a/other"));
    said.length = 0;
    await retrieval.indexRoot({ rootIndex: 0, path: root });
    assert.deepEqual(said, []);
  });
});
