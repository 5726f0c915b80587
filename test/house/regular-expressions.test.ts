import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
// The native build where there is one for this platform, else its JavaScript: the same program, which finds the same.
import { check } from "recheck";
import { repeats } from "../support/repeats.ts";
import { readExpressions, type WrittenExpression } from "./regular-expression-literals.ts";
import { ROOT } from "./sources.ts";

// The fuzzing of what automata cannot decide is bounded in steps, not in time, so that a busy machine finds the same.
const FUZZING = {
  incubationTimeout: null,
  attackTimeout: null,
  attackLimit: 50_000_000,
  maxAttackStringSize: 20_000,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  maxIteration: repeats({ once: 1, long: 5 }),
};
// An expression that needs longer than this counts as undecided, which is a fault, too. The slowest decided one needs under a tenth of it.
const DECISION_MS_MAX = 60_000;

// What `new RegExp(…)` makes with the values that its file puts in.
const CONSTRUCTED: Readonly<Record<string, RegExp>> = {
  'new RegExp(`^${basename(path).replaceAll(".", "\\\\.")}\\\\.broken-\\\\d+(-[a-z]+)?$`)':
    /^index\.db\.broken-\d+(-[a-z]+)?$/,
  'new RegExp(`(?:\\\\s*\\\\S+){1,${WORDS_PER_DELTA}}\\\\s*|\\\\s+`, "g")':
    /(?:\s*\S+){1,3}\s*|\s+/g,
  "new RegExp( `^[A-Za-z0-9\\\\-._~]{${PKCE_VERIFIER_CHARACTERS_MIN},${PKCE_VERIFIER_CHARACTERS_MAX}}$`, )":
    /^[A-Za-z0-9\-._~]{43,128}$/,
  "new RegExp( `^[A-Za-z0-9_-]{${PKCE_CHALLENGE_CHARACTERS - 1}}[AEIMQUYcgkosw048]$`, )":
    /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/,
  'new RegExp(`.{1,${LINE_CHARACTERS}}`, "g")': /.{1,96}/g,
  'new RegExp(`(${words.map(RegExp.escape).join("|")})`, "gi")': /(bread|tea)/gi,
};

const written = readExpressions("engine", "signin", "shared", "tools", "dev");

describe("every regular expression runs in linear time", () => {
  it("and the parser finds them all", () => {
    assert.ok(written.length > 100, `${written.length}`);
    const known = new Set(written.map(({ text }) => text));
    const stale = Object.keys(CONSTRUCTED).filter((text) => !known.has(text));
    assert.deepEqual(stale, []);
  });

  it("as recheck finds", async () => {
    assert.equal((await check("^(a|a)*$", "")).status, "vulnerable");
    assert.equal((await check("a+$", "")).status, "vulnerable");
    const faults: string[] = [];
    const known = readSafe();
    const safe: string[] = [];
    for (const [text, paths] of byText(written)) {
      const { source, flags } = CONSTRUCTED[text] ?? toExpression(text);
      const key = keyOf(source, flags);
      const verdict = known.has(key) ? "safe" : await judge(source, flags);
      if (verdict === "safe") safe.push(key);
      else faults.push(`${paths.join(", ")}: ${text} is ${verdict}`);
    }
    writeSafe(safe);
    assert.deepEqual(faults, []);
  });
});

function byText(expressions: readonly WrittenExpression[]): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const { path, text } of expressions) paths.set(text, [...(paths.get(text) ?? []), path]);
  return paths;
}

// What was found safe stays so under the same version and bounds: the next run takes it from here.
const SAFE = join(ROOT, ".build/safe-regular-expressions.json");
const { version } = createRequire(import.meta.url)("recheck/package.json") as { version: string };

function keyOf(source: string, flags: string): string {
  const parts = JSON.stringify([version, FUZZING, source, flags]);
  return createHash("sha256").update(parts).digest("base64url");
}

function readSafe(): Set<string> {
  try {
    return new Set(JSON.parse(readFileSync(SAFE, "utf8")));
  } catch {
    // The first run, or one that ended while it wrote.
    return new Set();
  }
}

function writeSafe(keys: readonly string[]): void {
  mkdirSync(join(ROOT, ".build"), { recursive: true });
  writeFileSync(SAFE, JSON.stringify(keys));
}

async function judge(source: string, flags: string): Promise<string> {
  const found = await check(source, flags, { ...FUZZING, timeout: DECISION_MS_MAX });
  if (found.status === "unknown") return `undecided (${found.error.kind})`;
  return found.status === "safe" ? "safe" : `vulnerable: ${found.complexity.summary}`;
}

function toExpression(literal: string): { source: string; flags: string } {
  const end = literal.lastIndexOf("/");
  assert.ok(literal.startsWith("/") && end > 0, `${literal} has no entry in CONSTRUCTED`);
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}
