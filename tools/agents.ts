// `npm run agents`: writes `AGENTS.md` and `llms.txt` from the pages that people read.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const NOTE = "Written by `npm run agents` from";
const FIRST = [
  "README.md",
  "docs/client.md",
  "CLIENTS.md",
  "signin/README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
];
const PAGES = "{*.md,docs/*.md,docs/signin/**/*.md,signin/*.md}";

/** What programs read instead of the pages, by file. */
export function buildAgentFiles(): Record<string, string> {
  return { "AGENTS.md": toAgents(), "llms.txt": toIndex() };
}

/** How to change this repository: CONTRIBUTING.md with the tree and the order of folders from ARCHITECTURE.md. */
function toAgents(): string {
  const rules = sectionsOf("CONTRIBUTING.md");
  const map = sectionsOf("ARCHITECTURE.md").filter(({ heading }) =>
    ["The tree", "Who may import whom", "Glossary"].includes(heading),
  );
  const parts = [...rules, ...map].map(({ heading, text }) =>
    heading === "" ? text : `## ${heading}\n\n${text}`,
  );
  return `# For coding agents\n\n${NOTE} \`CONTRIBUTING.md\` and \`ARCHITECTURE.md\`.\n\n${parts.join("\n\n")}\n`;
}

/** Every page with its title and its first sentence (llmstxt.org). */
function toIndex(): string {
  const pages = globSync(PAGES, { cwd: ROOT }).filter((path) => path !== "AGENTS.md");
  const rest = pages.filter((path) => !FIRST.includes(path)).sort();
  const lines = [...FIRST, ...rest].map((path) => {
    const about =
      firstParagraph(path)
        .replace(/^(-|\d+\.) /, "")
        .split(/(?<=[.:])\s/)[0] ?? "";
    return `- [${titleOf(path)}](${path}): ${about}`;
  });
  const documents = ["engine/openapi.json", "engine/frames.schema.json", "signin/openapi.json"];
  const machine = documents.map((path) => `- [${path}](${path})`);
  return [
    "# Roundhouse",
    `> ${firstParagraph("README.md")}`,
    "## Pages",
    lines.join("\n"),
    "## Documents for programs",
    `${machine.join("\n")}\n`,
  ].join("\n\n");
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function titleOf(path: string): string {
  return /^# (.*)$/m.exec(read(path))?.[1] ?? path;
}

/** Of prose: no heading, table or code. */
function firstParagraph(path: string): string {
  const paragraphs = read(path).split("\n\n");
  const found = paragraphs.find((text) => !/^(#|\||```)/.test(text)) ?? "";
  return found.replaceAll("\n", " ").trim();
}

/** The parts of a page; the one before the first heading has none. */
function sectionsOf(path: string): { heading: string; text: string }[] {
  const [, ...lines] = read(path).split("\n");
  const parts = lines.join("\n").split(/^## /m);
  return parts.map((part, at) => {
    if (at === 0) return { heading: "", text: part.trim() };
    const [heading = "", ...text] = part.split("\n");
    return { heading, text: text.join("\n").trim() };
  });
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(buildAgentFiles())) {
    writeFileSync(join(ROOT, path), text);
  }
}
