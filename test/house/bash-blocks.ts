import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "../..");

/** The bash of a document's code blocks, one after the other; `label` follows `bash` at the fence. */
export function bashOf(document: "README.md" | "CLIENTS.md", label = ""): string {
  const fence = label === "" ? "bash" : `bash ${label}`;
  const pattern = new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  const blocks = [...readFileSync(join(ROOT, document), "utf8").matchAll(pattern)];
  assert.ok(blocks.length > 0, document);
  return blocks.map(([, block]) => block).join("\necho\n");
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
