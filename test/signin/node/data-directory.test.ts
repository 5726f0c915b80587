import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { StartRefused } from "../../../shared/failure.ts";
import {
  holdDirectory,
  makeDataDirectory,
  resolveDataDirectory,
} from "../../../signin/node/data-directory.ts";
import {
  withDevelopmentSecrets,
  withThrowawaySecrets,
} from "../../../signin/node/development-secrets.ts";
import { openFile } from "../../../signin/node/open-file.ts";

async function openTemporary() {
  const root = await mkdtemp(join(tmpdir(), "roundhouse-signin-"));
  const directory = resolveDataDirectory({ SIGNIN_DATA_DIR: join(root, "data") });
  await makeDataDirectory(directory);
  return { directory, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
}

describe("the data directory", () => {
  it("is the one of SIGNIN_DATA_DIR, else the platform's", () => {
    assert.equal(
      resolveDataDirectory({ SIGNIN_DATA_DIR: "/a/b" }).database,
      join("/a/b", "signin.db"),
    );
    assert.match(
      resolveDataDirectory({ XDG_DATA_HOME: "/x" }, { platform: "linux", home: "/h" }).path,
      /^\/x[/\\]roundhouse-signin$/,
    );
    assert.match(
      resolveDataDirectory({ LOCALAPPDATA: "C:\\L" }, { platform: "win32", home: "/h" }).path,
      /roundhouse-signin$/,
    );
    assert.match(
      resolveDataDirectory({}, { platform: "darwin", home: "/h" }).path,
      /Application Support.roundhouse-signin$/,
    );
  });

  it("names no running server after a process that held it exits at once", async () => {
    await using open = await openTemporary();
    const module = new URL("../../../signin/node/data-directory.ts", import.meta.url).href;
    const program = `import { existsSync } from "node:fs";
      import { holdDirectory } from ${JSON.stringify(module)};
      const directory = ${JSON.stringify(open.directory)};
      holdDirectory(directory, "http://localhost:1");
      console.log(existsSync(directory.running));
      process.exit();`;
    const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
    assert.equal(String(output).trim(), "true");
    assert.equal(existsSync(open.directory.running), false);
  });

  it("is the owner's alone, even where it was open before", async () => {
    await using open = await openTemporary();
    const { path } = open.directory;
    assert.equal((await stat(path)).mode & 0o777, 0o700);
    const wide = resolveDataDirectory({ SIGNIN_DATA_DIR: join(path, "wide") });
    await mkdir(wide.path, { mode: 0o755 });
    await makeDataDirectory(wide);
    assert.equal((await stat(wide.path)).mode & 0o777, 0o700);
  });

  it("with foreign content, or one that begins with ~, is refused and left alone", async () => {
    await using open = await openTemporary();
    const full = resolveDataDirectory({ SIGNIN_DATA_DIR: join(open.directory.path, "full") });
    await mkdir(full.path);
    // Not by mkdir: an opened data directory has narrowed the umask of this process.
    await chmod(full.path, 0o755);
    await writeFile(join(full.path, "notes.txt"), "");
    await assert.rejects(makeDataDirectory(full), {
      name: "StartRefused",
      message: `SIGNIN_DATA_DIR: the data directory ${full.path} is not empty and holds no signin.db. Name a directory of its own.`,
    });
    assert.equal((await stat(full.path)).mode & 0o777, 0o755);
    const home = resolveDataDirectory({ SIGNIN_DATA_DIR: "~/signin" });
    await assert.rejects(makeDataDirectory(home), /^StartRefused: SIGNIN_DATA_DIR: begins with ~/);
    await assert.rejects(stat("~"));
  });

  it("has files that are the owner's alone, even where they were open before", async () => {
    await using open = await openTemporary();
    const { database, lock } = open.directory;
    for (const file of [database, `${database}-wal`]) await writeFile(file, "", { mode: 0o644 });
    await chmod(database, 0o644);
    await makeDataDirectory(open.directory);
    using _ = holdDirectory(open.directory, "http://127.0.0.1:1");
    {
      await using file = await openFile(database);
      await file.db.$client.execute("SELECT 1");
      for (const path of [database, `${database}-wal`, `${database}-shm`, lock]) {
        assert.equal((await stat(path)).mode & 0o777, 0o600, path);
      }
    }
  });

  it("that cannot be made refuses the start by name", async () => {
    await using open = await openTemporary();
    const file = join(open.directory.path, "file");
    await writeFile(file, "");
    const inside = resolveDataDirectory({ SIGNIN_DATA_DIR: join(file, "data") });
    await assert.rejects(makeDataDirectory(inside), (error: unknown) => {
      assert.ok(error instanceof StartRefused);
      assert.match(error.message, /^SIGNIN_DATA_DIR: /);
      return true;
    });
  });
});

describe("the secrets of development", () => {
  it("are generated once, for the owner alone, and used again", async () => {
    await using open = await openTemporary();
    const first = await withDevelopmentSecrets({}, open.directory);
    assert.deepEqual(first.generated, ["JWT_SECRET_KEY", "TOKEN_ENCRYPTION_KEY"]);
    assert.match(first.env.JWT_SECRET_KEY ?? "", /^[0-9a-f]{64}$/);
    assert.match(first.env.TOKEN_ENCRYPTION_KEY ?? "", /^[\w-]{43}$/);
    assert.equal((await stat(open.directory.secrets)).mode & 0o777, 0o600);
    const second = await withDevelopmentSecrets({ APP_ENV: "development" }, open.directory);
    assert.deepEqual(second.env, { APP_ENV: "development", ...first.env });
  });

  it("give way to configured ones", async () => {
    await using open = await openTemporary();
    const { env, generated } = await withDevelopmentSecrets(
      { JWT_SECRET_KEY: "mine" },
      open.directory,
    );
    assert.equal(env.JWT_SECRET_KEY, "mine");
    assert.deepEqual(generated, ["TOKEN_ENCRYPTION_KEY"]);
  });

  for (const APP_ENV of ["test", "staging", "production"]) {
    it(`are not generated in ${APP_ENV}`, async () => {
      await using open = await openTemporary();
      const { env, generated } = await withDevelopmentSecrets({ APP_ENV }, open.directory);
      assert.deepEqual([env, generated], [{ APP_ENV }, []]);
      assert.deepEqual(withThrowawaySecrets({ APP_ENV }), { APP_ENV });
      await assert.rejects(readFile(open.directory.secrets));
    });
  }

  it("that are damaged refuse the start rather than being replaced", async () => {
    await using open = await openTemporary();
    for (const text of ["{", "[]", "null", '{"JWT_SECRET_KEY":"x"}']) {
      await writeFile(open.directory.secrets, text);
      await assert.rejects(withDevelopmentSecrets({}, open.directory), StartRefused);
      assert.equal(await readFile(open.directory.secrets, "utf8"), text);
    }
  });
});
