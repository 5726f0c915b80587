import ignore, { type Ignore } from "ignore";
import { SKIPPED_FOLDERS } from "../files/skipped-folders.ts";
import { IGNORE_RULE_CHARACTERS_MAX, IGNORE_RULES_MAX } from "./limits.ts";

// Folders of build tools and editors that an index leaves out as well.
const TOOL_FOLDERS = new Set(
  ".cache .next .turbo .gradle .idea .vs target coverage vendor .pytest_cache .mypy_cache .terraform Pods DerivedData".split(
    " ",
  ),
);

const LOCK_FILES: ReadonlySet<string> = new Set(["package-lock.json", "pnpm-lock.yaml", "go.sum"]);
const GENERATED = /(\.lock|\.min\.(js|mjs|cjs|css)|\.map)$/i;
const MINIFIABLE = /\.(js|mjs|cjs|css)$/i;
const MINIFIED_LINE_CHARACTERS = 1_000;

/** The ignore files of a folder. */
export const IGNORE_FILES = [".gitignore", ".engineignore"] as const;

export function isSkippedFolder(name: string): boolean {
  return SKIPPED_FOLDERS.has(name) || TOOL_FOLDERS.has(name);
}

/** Lock files, minified files and source maps, by name. */
export function isGeneratedFile(name: string): boolean {
  return LOCK_FILES.has(name) || GENERATED.test(name);
}

/** Scripts and styles that a tool has minified. */
export function isMinified(path: string, text: string): boolean {
  if (!MINIFIABLE.test(path) || text.length < MINIFIED_LINE_CHARACTERS) return false;
  const lengths = text
    .split("\n")
    .map(({ length }) => length)
    .filter((length) => length > 0)
    .sort((a, b) => a - b);
  return (lengths[Math.floor(lengths.length / 2)] ?? 0) > MINIFIED_LINE_CHARACTERS;
}

/** An ignore file; its path is relative to the root. */
export interface IgnoreFile {
  path: string;
  text: string;
}

/** Notes that the rules of an ignore file are at work, until the result is disposed of. */
export type Mark = (path: string) => Disposable;

interface Level {
  folder: string;
  path: string;
  rules: Ignore;
}

/** The ignore rules of a folder: its own override those of the folders above, as in git. */
export class IgnoreRules {
  readonly #mark: Mark | undefined;
  readonly #levels: readonly Level[];

  constructor(mark?: Mark, levels: readonly Level[] = []) {
    this.#mark = mark;
    this.#levels = levels;
  }

  /** With the ignore files of `folder`, a path relative to the root that ends in `/`, or is empty. */
  within(folder: string, files: readonly IgnoreFile[]): IgnoreRules {
    if (files.length === 0) return this;
    const own = files.map(({ path, text }) => ({ folder, path, rules: this.#parse(path, text) }));
    return new IgnoreRules(this.#mark, [...this.#levels, ...own]);
  }

  /** A folder's path ends in `/`. */
  ignores(path: string): boolean {
    let ignored = false;
    for (const level of this.#levels) {
      using _ = this.#mark?.(level.path);
      const verdict = level.rules.test(path.slice(level.folder.length));
      if (verdict.ignored) ignored = true;
      if (verdict.unignored) ignored = false;
    }
    return ignored;
  }

  #parse(path: string, text: string): Ignore {
    using _ = this.#mark?.(path);
    const rules = ignore({ ignorecase: false, allowRelativePaths: true });
    for (const rule of rulesOf(text).slice(0, IGNORE_RULES_MAX)) addPattern(rules, rule);
    return rules;
  }
}

/** Whether an ignore file has more rules than are applied. */
export function hasTooManyRules(text: string): boolean {
  return rulesOf(text).length > IGNORE_RULES_MAX;
}

function rulesOf(text: string): string[] {
  const isRule = (line: string) =>
    line.length <= IGNORE_RULE_CHARACTERS_MAX && line.trim() !== "" && !line.startsWith("#");
  return text.split(/\r?\n/).filter(isRule);
}

// An invalid pattern matches nothing, as in git.
function addPattern(rules: Ignore, line: string): void {
  try {
    const alone = ignore({ ignorecase: false, allowRelativePaths: true }).add(line);
    alone.test("probe");
    rules.add(line);
  } catch {
    return;
  }
}
