import assert from "node:assert/strict";
import { chmod, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { it } from "node:test";
import { DirectoryRefused, makePrivateDirectory } from "../../shared/node/private-directory.ts";
import { createTestFolder } from "../support/engine/files.ts";

const MARKS = ["own.db", "lock.db"];

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

async function refused(path: string, message: string): Promise<void> {
  await assert.rejects(makePrivateDirectory(path, MARKS), (error) => {
    assert.ok(error instanceof DirectoryRefused, String(error));
    assert.equal(error.message, message);
    return true;
  });
}

it("a missing folder and its parents are made for the owner alone", async () => {
  await using folder = await createTestFolder();
  await makePrivateDirectory(folder.at("a", "b", "c"), MARKS);
  for (const path of ["a", "a/b", "a/b/c"]) assert.equal(await modeOf(folder.at(path)), 0o700);
});

it("several that make one folder at once all succeed", async () => {
  await using folder = await createTestFolder();
  const path = folder.at("a", "b");
  await Promise.all(Array.from({ length: 8 }, () => makePrivateDirectory(path, MARKS)));
  assert.equal(await modeOf(path), 0o700);
});

it("an empty folder, and one with a name of the program, become private", async () => {
  await using folder = await createTestFolder({ empty: {}, own: { "lock.db": "", other: "" } });
  for (const name of ["empty", "own"]) {
    await chmod(folder.at(name), 0o755);
    await makePrivateDirectory(folder.at(name), MARKS);
    assert.equal(await modeOf(folder.at(name)), 0o700);
  }
});

it("a full folder of others is refused and stays as it is, a private one is used", async () => {
  await using folder = await createTestFolder({ full: { "notes.txt": "" }, mine: { a: "" } });
  await chmod(folder.at("full"), 0o755);
  await refused(folder.at("full"), "is not empty and holds no own.db");
  assert.equal(await modeOf(folder.at("full")), 0o755);
  assert.deepEqual(await readdir(folder.at("full")), ["notes.txt"]);
  await chmod(folder.at("mine"), 0o700);
  await makePrivateDirectory(folder.at("mine"), MARKS);
});

it("what cannot be a folder is refused by its code", async () => {
  await using folder = await createTestFolder({ file: "" });
  await refused(folder.at("file"), "is not a folder");
  await refused(folder.at("file", "below"), "cannot be used (ENOTDIR)");
  await symlink(folder.at("gone"), folder.at("dangling"));
  await refused(folder.at("dangling"), "cannot be used (ENOENT)");
  await mkdir(folder.at("target"));
  await writeFile(folder.at("target", "own.db"), "");
  await symlink(folder.at("target"), folder.at("link"));
  await makePrivateDirectory(folder.at("link"), MARKS);
});

it("a file system that makes no folders ends the attempt", { timeout: 60_000 }, async () => {
  if (process.platform !== "linux") return;
  await refused("/proc/nope/below", "cannot be used (ENOENT)");
});
