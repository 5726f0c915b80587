import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "./sources.ts";

const OWN_PROCESS = "// In a process of its own: it is planted.\n";
const IMPORTS = `
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
`;

/** Runs files of these texts as `npm test` runs files. `left` is what stays in the temporary folder of the machine. */
async function runTests(...texts: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-runner-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const files = texts.map((_, at) => join(folder, `planted-${at}.test.ts`));
  for (const [at, text] of texts.entries()) await writeFile(files[at]!, IMPORTS + text);
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  const { status, stdout } = spawnSync(process.execPath, ["tools/test.ts", ...files], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: temporary, SECRET_OF_A_PERSON: "1" },
    encoding: "utf8",
  });
  return { status, stdout, left: await readdir(temporary) };
}

describe("npm test", () => {
  it("gives a file a home and a temporary folder of its own, and leaves neither", async () => {
    const { status, stdout, left } = await runTests(`
      it("uses them", () => {
        assert.equal(homedir(), join(tmpdir(), "../home"));
        assert.equal(process.env.SECRET_OF_A_PERSON, undefined);
        mkdirSync(join(homedir(), ".cache"));
        writeFileSync(join(homedir(), ".cache/of-a-program"), "");
      });
    `);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^ℹ pass 1$/m);
    assert.deepEqual(left, []);
  });

  it("loads all files of a process before the first test runs", async () => {
    const { status, stdout } = await runTests(
      'it("is not held up by the other file", () => assert.equal(globalThis.isLoaded, true));',
      `
        for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
        globalThis.isLoaded = true;
        it("passes", () => {});
      `,
    );
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^ℹ pass 2$/m);
  });

  it("counts the load of the files for none of them", async () => {
    const { stdout } = await runTests(
      'import { describe } from "node:test"; describe("waits", () => it("passes", () => {}));',
      `
        await new Promise((resolve) => setTimeout(resolve, 1000));
        it("passes", () => {});
      `,
    );
    const secondsOf = (line: RegExp) => [...stdout.matchAll(line)].map(([, text]) => Number(text));
    const [whole = 0] = secondsOf(/^✔ +([\d.]+) s .* 2 tests$/gm);
    const files = secondsOf(/^ +([\d.]+) s .*planted-\d\.test\.ts$/gm);
    assert.equal(files.length, 2, stdout);
    // What is left has the second of the load. Each time is printed in tenths.
    assert.ok(whole - files.reduce((sum, seconds) => sum + seconds, 0) > 0.8, stdout);
  });

  type Fault = [what: string, text: string, found: RegExp];
  const FAULTS: readonly Fault[] = [
    [
      "leaves a file in the temporary folder",
      'it("passes", () => void mkdtempSync(join(tmpdir(), "left-")));',
      /left files: 0\/left-/,
    ],
    [
      "leaves a process",
      'it("passes", () => spawn("sleep", ["60"], { stdio: "ignore" }).unref());',
      /left processes: sleep/,
    ],
    ["ends early", 'it("ends", () => process.exit(0));', /ended early|ended with/],
    ["runs no test", "", /ran no test/],
    [
      "leaves a rejection that nothing handles",
      'it("passes", () => void Promise.reject(new Error("left behind")));',
      /^ {2}unhandledRejection after the start of "passes": Error: left behind\n +at .*planted-\d\.test\.ts/m,
    ],
    ["fails", 'it("fails", () => assert.equal("one", "other"));', /^\+ 'one'$|'one' !== 'other'/m],
  ];
  // All jobs of a run have one home: another one might be blamed.
  const AT_HOME: Fault = [
    "leaves a file at home",
    'it("passes", () => writeFileSync(join(homedir(), ".left"), ""));',
    /left files: home\/\.left/,
  ];
  for (const faults of [FAULTS, [AT_HOME]]) {
    let run: ReturnType<typeof runTests> | undefined;
    for (const [at, [what, , found]] of faults.entries()) {
      it(`is red where a file ${what}, says so, and leaves nothing itself`, async () => {
        // One run for all of them: each file fails by itself.
        run ??= runTests(...faults.map(([, text]) => OWN_PROCESS + text));
        const { status, stdout, left } = await run;
        assert.equal(status, 1, stdout);
        const ofFile = stdout.split(/^(?=✖ )/m).filter((part) => part.includes(`planted-${at}.`));
        assert.match(ofFile.join(""), found);
        assert.match(stdout, new RegExp(`^ℹ fail ${faults.length}$`, "m"));
        assert.deepEqual(left, []);
      });
    }
  }
});
