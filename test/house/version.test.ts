import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { ROOT } from "./sources.ts";

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

it("the version that the programs report is the package's", async () => {
  const paths = globSync("{engine,signin}/version.ts", { cwd: ROOT });
  assert.ok(paths.length > 0);
  for (const path of paths) {
    const { VERSION } = await import(join(ROOT, path));
    assert.equal(VERSION, manifest.version, path);
  }
});

it("packages have exact versions, and the runtime is one of them", () => {
  const all = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const [name, version] of Object.entries(all)) {
    // A second major of a package has a name of its own.
    assert.match(String(version), /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+/, name);
  }
  assert.match(all.node, /^24\./);
  assert.equal(manifest.engines.node, ">=24");
});

it("install scripts are declared for every package that has one", () => {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const scripted = Object.entries<{ hasInstallScript?: boolean }>(lock.packages).flatMap(
    ([path, entry]) =>
      path && entry.hasInstallScript ? path.replace(/^.*node_modules\//, "") : [],
  );
  assert.deepEqual(
    [...new Set(scripted)].filter((name) => !(name in manifest.allowScripts)).sort(),
    [],
  );
});

it("the lock file has every optional package, or `npm ci` refuses it on a machine without them", () => {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const names = new Set(
    Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, "")),
  );
  const missing = Object.entries<{ optionalDependencies?: object }>(lock.packages).flatMap(
    ([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !names.has(name))
        .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

it("a build for one C library names it, or npm installs those of both", () => {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const unnamed = Object.entries<{ libc?: string[] }>(lock.packages).filter(
    ([path, { libc }]) => /linux-(x64|arm64)-(gnu|musl)$/.test(path) && !libc,
  );
  assert.deepEqual(
    unnamed.map(([path]) => path),
    [],
  );
});
