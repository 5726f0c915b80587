import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "../..");

/** A fenced block of a page. */
export interface Snippet {
  document: string;
  language: string;
  /** What follows the language at the fence: it says which test has the block. */
  label: string;
  text: string;
}

const PAGES = "{*.md,docs/**/*.md,signin/*.md,tools/*.md}";
// Made from others.
const GENERATED = ["AGENTS.md"];
const FENCE = /^( *)```(.*)\n([\s\S]*?)^ *```$/gm;

/** The paths of the pages that people write. */
export function allPages(): string[] {
  return globSync(PAGES, { cwd: ROOT })
    .filter((document) => !GENERATED.includes(document))
    .sort();
}

/** Every fenced block of the pages. */
export function allSnippets(): Snippet[] {
  return allPages().flatMap(readSnippets);
}

/** The blocks of a page with this label, such as `bash walk`, in their order; there is at least one. */
export function snippetsOf(document: string, info: string): string[] {
  const found = readSnippets(document).filter(
    ({ language, label }) => `${language} ${label}` === info,
  );
  assert.ok(found.length > 0, `${document}: ${info}`);
  return found.map(({ text }) => text);
}

/** The bash of these blocks, one after the other. */
export function bashOf(document: string, label: string): string {
  return snippetsOf(document, `bash ${label}`).join("\necho\n");
}

function readSnippets(document: string): Snippet[] {
  return [...readFileSync(join(ROOT, document), "utf8").matchAll(FENCE)].map(
    ([, indent = "", info = "", text = ""]) => {
      const [language = "", ...label] = info.trim().split(" ");
      const lines = text.split("\n").map((line) => line.slice(indent.length));
      return { document, language, label: label.join(" "), text: lines.join("\n") };
    },
  );
}

/** Runs a script in the root of the repository, as a person pastes it; `input` is what is typed. Returns what it prints. */
export async function runBash(
  script: string,
  env: Record<string, string>,
  input: string | Promise<string> = "",
): Promise<string> {
  const bash = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = Promise.all([text(bash.stdout), once(bash, "close")]);
  bash.stdin.end(await input);
  const [printed, [code]] = await ended;
  assert.equal(code, 0, printed);
  return printed;
}
