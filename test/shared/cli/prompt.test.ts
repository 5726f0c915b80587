import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { createPrompt } from "../../../shared/cli/prompt.ts";

/** A terminal: outside of raw mode it shows what is typed, as a real one does. */
class FakeTerminal extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  screen = "";
  interrupts = 0;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }

  type(text: string): void {
    if (!this.isRaw) this.screen += text;
    this.write(text);
  }
}

const SECRET = "canary-7d1f";

function open() {
  const terminal = new FakeTerminal();
  const stop = new AbortController();
  const waiting: (() => void)[] = [];
  const keyboard = {
    input: terminal,
    writeError(text: string) {
      terminal.screen += text;
      if (/[:\]>] $/.test(text)) waiting.shift()?.();
    },
    interrupt() {
      terminal.interrupts += 1;
      stop.abort(new Error("stopped"));
    },
  };
  return {
    terminal,
    stop,
    prompt: createPrompt(keyboard, stop.signal),
    /** Types once the next question is shown. */
    answer: (...texts: string[]) =>
      waiting.push(() => {
        for (const text of texts) setImmediate(() => terminal.type(text));
      }),
  };
}

describe("a question", () => {
  it("has the typed line as its answer, without blanks around it", async () => {
    const { prompt, answer, terminal } = open();
    answer(" a", "b \r");
    assert.equal(await prompt.line("Name:"), "ab");
    assert.equal(terminal.isRaw, false);
  });

  it("has its default for an empty line", async () => {
    const { prompt, answer } = open();
    answer("\r");
    assert.equal(await prompt.line("Name:", "x"), "x");
  });

  it("cannot move the cursor", async () => {
    const { prompt, answer, terminal } = open();
    answer("\r");
    await prompt.line("N\u001b[2Jame\u0007:");
    assert.equal(terminal.screen.startsWith("N[2Jame: "), true, terminal.screen);
  });

  it("is asked again until the number is one of those shown", async () => {
    const { prompt, answer, terminal } = open();
    for (const text of ["0\r", "4\r", "x\r", "2\r"]) answer(text);
    assert.equal(await prompt.choose("Which:", ["a", "b", "c"]), 1);
    assert.equal(terminal.screen.split("Type a number from 1 to 3.").length, 4);
  });

  it("shows the options below each other", async () => {
    const { prompt, answer, terminal } = open();
    answer("\r");
    await prompt.choose(
      "Which:",
      Array.from({ length: 10 }, (_, at) => `option ${at + 1}`),
    );
    const columns = terminal.screen.match(/^ *\d+ +(?=option)/gm);
    assert.deepEqual(new Set(columns?.map(({ length }) => length)), new Set([6]));
  });

  it("fails where the input ends", async () => {
    for (const end of ["\u0004", undefined]) {
      const { prompt, answer, terminal } = open();
      if (end === undefined) setImmediate(() => terminal.end());
      else answer(end);
      await assert.rejects(prompt.secret("Key:"), { message: "There was no answer." });
      assert.equal(terminal.isRaw, false);
    }
  });

  it("is not asked after a stop", async () => {
    const { prompt, stop, terminal } = open();
    stop.abort(new Error("stopped"));
    await assert.rejects(prompt.line("Name:"), { message: "stopped" });
    assert.equal(terminal.screen, "");
  });
});

describe("a secret", () => {
  it("is never shown, however it is typed", async () => {
    for (const pieces of [[`${SECRET}\r`], [...SECRET, "\n"], [SECRET, "x", "\u007f", "\r\n"]]) {
      const { prompt, answer, terminal } = open();
      answer(...pieces);
      assert.equal(await prompt.secret("Key:"), SECRET);
      assert.equal(terminal.screen, "Key: \n");
      assert.equal(terminal.isRaw, false, "the terminal shows again what is typed");
    }
  });

  it("is hidden before its question is shown", async () => {
    const { prompt, terminal } = open();
    const asked = prompt.secret("Key:");
    assert.equal(terminal.screen, "Key: ");
    terminal.type(`${SECRET}\r`);
    assert.equal(await asked, SECRET);
    assert.equal(terminal.screen, "Key: \n");
  });

  it("that was pasted with the answer before it is not shown, and answers its question", async () => {
    const { prompt, answer, terminal } = open();
    answer(`name\r${SECRET}\rthird`);
    assert.equal(await prompt.line("Name:"), "name");
    assert.equal(await prompt.secret("Key:"), SECRET);
    answer("!\r");
    assert.equal(await prompt.line("Third:"), "third!");
    assert.equal(terminal.screen.includes(SECRET), false, terminal.screen);
  });

  it("that is given up with Ctrl-C interrupts once, is not shown, and leaves the terminal as it was", async () => {
    const { prompt, answer, terminal } = open();
    answer(SECRET, "\u0003");
    await assert.rejects(prompt.secret("Key:"), { message: "stopped" });
    assert.equal(terminal.interrupts, 1);
    assert.equal(terminal.isRaw, false);
    assert.equal(terminal.screen, "Key: \n");
  });
});

describe("a confirmation", () => {
  const CASES: [typed: string, otherwise: boolean, confirmed: boolean][] = [
    ["y\r", false, true],
    ["YES\r", false, true],
    ["\r", false, false],
    ["\r", true, true],
    ["n\r", true, false],
    ["yesterday\r", true, false],
  ];
  for (const [typed, otherwise, confirmed] of CASES) {
    it(`is ${confirmed} for ${JSON.stringify(typed)} where an empty line is ${otherwise}`, async () => {
      const { prompt, answer } = open();
      answer(typed);
      assert.equal(await prompt.confirm("Allow this?", otherwise), confirmed);
    });
  }

  it("is not in the rest of a pasted text", async () => {
    const { prompt, answer } = open();
    answer("first\ry\r");
    assert.equal(await prompt.line("Say:"), "first");
    answer("n\r");
    assert.equal(await prompt.confirm("Allow this?", false), false);
  });
});
