// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
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
const HIDES_CURSOR = "\u001b[?25l";

function open() {
  const terminal = new FakeTerminal();
  const stop = new AbortController();
  const waiting: string[][] = [];
  const keyboard = {
    input: terminal,
    writeError(text: string) {
      terminal.screen += text;
      // Each question begins so.
      if (!text.includes(HIDES_CURSOR)) return;
      const texts = waiting.shift() ?? [];
      setImmediate(() => texts.forEach((typed) => void terminal.type(typed)));
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
    answer: (...texts: string[]) => waiting.push(texts),
    shown: () => stripVTControlCharacters(terminal.screen),
  };
}

describe("a question", () => {
  it("has the typed line as its answer, without blanks around it", async () => {
    const { prompt, answer, terminal } = open();
    answer(" a", "b \r");
    assert.equal(await prompt.line("Name:"), "ab");
    assert.equal(terminal.isRaw, false);
  });

  it("shows its default, and has it for an empty line", async () => {
    const { prompt, answer, shown } = open();
    answer("\r", "\r");
    assert.equal(await prompt.line("Name:", "Ada"), "Ada");
    assert.match(shown(), /Name:.*Ada/s);
    assert.equal(await prompt.line("Name:"), "");
  });

  it("cannot move the cursor", async () => {
    const { prompt, answer, terminal } = open();
    answer("\r");
    await prompt.choose("N\u001b[2Jame\u0007:", ["a\u001b[2Jb"]);
    assert.ok(!terminal.screen.includes("\u001b[2J"), JSON.stringify(terminal.screen));
  });

  it("shows options below each other, and takes the first one or that of the arrow keys", async () => {
    const { prompt, answer, shown } = open();
    answer("\r");
    assert.equal(await prompt.choose("Which:", ["one", "two", "three"]), 0);
    assert.match(shown(), /one.*\n.*two.*\n.*three/);
    answer("\u001b[B", "\u001b[B", "\r");
    assert.equal(await prompt.choose("Which:", ["one", "two", "three"]), 2);
  });

  it("fails if the input ends", async () => {
    for (const end of ["\u0004", undefined]) {
      const { prompt, answer, terminal } = open();
      if (end === undefined) setImmediate(() => terminal.end());
      else answer(end);
      await assert.rejects(prompt.secret("Key:"), { message: "There was no answer." });
      assert.deepEqual([terminal.isRaw, terminal.interrupts], [false, 0]);
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
  it("is shown as dots, however it is typed", async () => {
    for (const pieces of [[`${SECRET}\r`], [...SECRET, "\r"], [SECRET, "x", "\u007f", "\r"]]) {
      const { prompt, answer, terminal, shown } = open();
      answer(...pieces);
      assert.equal(await prompt.secret("Key:"), SECRET);
      assert.match(shown(), /▪{11}|•{11}|\*{11}/);
      assert.ok(!terminal.screen.includes("canary"), terminal.screen);
      assert.equal(terminal.isRaw, false, "the terminal shows again what is typed");
    }
  });

  it("that was pasted with the answer before it is not shown", async () => {
    const { prompt, answer, terminal } = open();
    answer(`name\r${SECRET}\rthird`);
    assert.equal(await prompt.line("Name:"), "name");
    answer(`${SECRET}\r`);
    assert.equal(await prompt.secret("Key:"), SECRET);
    assert.ok(!terminal.screen.includes(SECRET), terminal.screen);
  });

  it("that is given up with Ctrl-C interrupts once, and leaves the terminal as it was", async () => {
    const { prompt, answer, terminal } = open();
    answer(SECRET, "\u0003");
    await assert.rejects(prompt.secret("Key:"), { message: "stopped" });
    assert.deepEqual([terminal.isRaw, terminal.interrupts], [false, 1]);
    assert.ok(!terminal.screen.includes(SECRET), terminal.screen);
  });
});

describe("a confirmation", () => {
  const CASES: [typed: string, otherwise: boolean, confirmed: boolean][] = [
    ["y", false, true],
    ["\r", false, false],
    ["\r", true, true],
    ["n", true, false],
  ];
  for (const [typed, otherwise, confirmed] of CASES) {
    it(`is ${confirmed} for ${JSON.stringify(typed)} if ${otherwise} is proposed`, async () => {
      const { prompt, answer } = open();
      answer(typed);
      assert.equal(await prompt.confirm("Allow this?", otherwise), confirmed);
    });
  }

  it("is not in the rest of a pasted text, nor in what was typed before it", async () => {
    const { prompt, answer, terminal } = open();
    answer("first\ry\r");
    assert.equal(await prompt.line("Say:"), "first");
    terminal.type("y\r");
    answer("n");
    assert.equal(await prompt.confirm("Allow this?", false), false);
  });
});
