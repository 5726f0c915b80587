import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./sources.ts";

/** A row of a contract page. */
interface Clause {
  /** `2.9.3`, or `2.9.3a` for a part. */
  id: string;
  /** The number of the heading above it. */
  heading: string;
  text: string;
  tests: { file: string; name: string }[];
}

export interface ContractPage {
  path: string;
  sections: Set<string>;
  /** Titles by number: `2.9` → `Tool rules`. */
  headings: Map<string, string>;
  clauses: Clause[];
  /** The number of a heading of a section, by its title or the beginning of it. */
  findHeading(section: string, title: string): string | undefined;
}

/** Reads `docs/contract/<program>.md`. */
export function readContract(program: string): ContractPage {
  const path = `docs/contract/${program}.md`;
  const sections = new Set<string>();
  const headings = new Map<string, string>();
  const clauses: Clause[] = [];
  let current = "";
  for (const line of readFileSync(join(ROOT, path), "utf8").split("\n")) {
    const [, section] = /^## (\d)\. /.exec(line) ?? [];
    if (section) sections.add(section);
    const [, heading, title] = /^### (\d\.\d+) (.+)$/.exec(line) ?? [];
    if (heading && title) {
      current = heading;
      headings.set(heading, title);
    }
    if (/^\| \d\./.test(line)) clauses.push(toClause(line, current));
  }
  const findHeading = (section: string, title: string) => {
    const wanted = title.toLowerCase().replace(/s$/, "");
    const [number] =
      [...headings].find(
        ([key, text]) => key.startsWith(`${section}.`) && text.toLowerCase().startsWith(wanted),
      ) ?? [];
    return number;
  };
  return { path, sections, headings, clauses, findHeading };
}

function toClause(line: string, heading: string): Clause {
  const [id = "", text = "", tests = ""] = line.split("|").slice(1, -1).map(trim);
  return { id, heading, text, tests: testsIn(tests) };
}

/** Names between dots, each of the test file that was named last. */
function testsIn(cell: string): Clause["tests"] {
  let file = "";
  return cell.split(" · ").flatMap((piece) => {
    const [, named, rest] = /^`(test\/[^`]+)`: (.+)$/.exec(piece) ?? [];
    if (named) file = named;
    const name = rest ?? piece;
    return name === "" ? [] : { file, name };
  });
}

function trim(text: string): string {
  return text.trim();
}
