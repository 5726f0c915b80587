import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { BadConfiguration } from "../../shared/env.ts";
import { describeForUser, StartRefused, UserFacingError } from "../../shared/failure.ts";
import { ROOT } from "../house/sources.ts";

const withCode = (message: string, code: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });
const FULL = "The disk of the data directory is full. Make room on it, then start again.";

describe("A failure of a start", () => {
  class Own extends UserFacingError {}
  const cases: [name: string, error: unknown, sentence: string][] = [
    ["of a variable", new BadConfiguration("X: is bad."), "X: is bad."],
    ["that was refused", new StartRefused("It runs."), "It runs."],
    ["of a class of the program", new Own("So it is."), "So it is."],
    ["by ENOSPC", withCode("no space", "ENOSPC"), FULL],
    ["by SQLITE_FULL", withCode("full", "SQLITE_FULL"), FULL],
    [
      "by a full disk below another failure",
      new StartRefused("It cannot be written.", { cause: withCode("x", "ENOSPC") }),
      FULL,
    ],
    [
      "of the system",
      withCode("EIO: i/o error, open 'x'\n  more", "EIO"),
      "The start failed: EIO: i/o error, open 'x' (EIO).",
    ],
    ["that is no error", "text", "text"],
  ];
  for (const [name, error, sentence] of cases) {
    it(`${name} is one sentence`, () => assert.equal(describeForUser(error), sentence));
  }

  it("that is a fault of the program keeps its stack", () => {
    assert.match(describeForUser(new TypeError("x is undefined")), /TypeError: x.*\n\s+at /);
  });
});

describe("Signals during a start", () => {
  const url = pathToFileURL(`${ROOT}shared/node/until-signal.ts`).href;
  const runChild = async (started: boolean) => {
    const script = `
      import { endAtSecondSignal, untilSignal } from ${JSON.stringify(url)};
      const asked = untilSignal();
      const starting = endAtSecondSignal();
      const hold = setInterval(() => {}, 1000);
      if (${started}) starting[Symbol.dispose]();
      process.on("message", () => { clearInterval(hold); process.disconnect(); });
      let count = 0;
      process.on("SIGTERM", () => process.send(++count));
      asked.then(() => process.send("asked"));
      process.send("ready");
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const said: unknown[] = [];
    child.on("message", (message) => {
      said.push(message);
      if (message === "ready" || message === "asked") child.kill("SIGTERM");
      if (message === 2) child.send("end");
    });
    const [code] = await once(child, "exit");
    return { code, said };
  };

  it("the second one ends the process at once", async () => {
    const { code, said } = await runChild(false);
    assert.equal(code, 1);
    assert.ok(said.includes("asked") && !said.includes(2));
  });

  it("once it runs, a second one changes nothing", async () => {
    const { code, said } = await runChild(true);
    assert.equal(code, 0);
    assert.ok(said.includes(2));
  });
});
