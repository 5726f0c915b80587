import { globSync, readFileSync } from "node:fs";
import { basename, relative } from "node:path";

/** What a job is, for the times at the end of a run. */
export type Kind =
  | "check"
  | "rules and routes"
  | "whole programs"
  | "browser"
  | "workerd"
  | "house";

/** What one process does: a command of `npm run check`, or one or more test files. */
export interface Job {
  name: string;
  kind: Kind;
  /** A command with its arguments; undefined for test files. */
  command?: string[];
  files: string[];
}

interface TestFile {
  path: string;
  text: string;
  kind: Kind;
}

// Of files of whole programs, by their names.
const BROWSER = /^console-|page|browser|mailbox/;
const WORKERD = /worker|d1|edge|upgrade/;
// Hooks before each test would run for all files of the process.
const OWN_PROCESS = /^(\/\/ In a process of its own: |(before|after)Each\()/m;
// Half of the engine's tests, by their time: two processes end earlier than one.
const OUTER = /^test\/engine\/(account|cli|client|console|files|mcp|models|retrieval|tools)\//;
// Whole programs whose tests fill a process.
const LARGE = /^(cli|engine|retrieval|signin)\b/;
const SLOW = /^\/\/ Slow: /m;
const REPEATS = /from "(\.\.\/)+support\/repeats\.ts"/;

/** The jobs of `npm test`, of `test:fast`, or of `test:long`; the files named replace all test files. */
export function planJobs(which: { fast: boolean; long: boolean }, named: readonly string[]): Job[] {
  const found = named.length > 0 ? globSync([...named]) : globSync("test/**/*.test.ts");
  const files = found.sort().map((given): TestFile => {
    // As a report names it, however it was named.
    const path = relative("", given);
    return { path, text: readFileSync(path, "utf8"), kind: kindOf(path) };
  });
  if (which.long) return files.filter(({ text }) => REPEATS.test(text)).map(alone);
  const isFast = ({ text, kind }: TestFile) => kind === "rules and routes" && !SLOW.test(text);
  const asked = which.fast ? files.filter(isFast) : files;
  const shared = asked.filter(({ text }) => !OWN_PROCESS.test(text));
  const groups = Map.groupBy(shared, groupOf);
  const jobs = [
    ...[...groups].flatMap(([name, files]): Job[] => {
      const [first, second] = files;
      if (!first || !second) return files.map(alone);
      return [{ name, kind: first.kind, files: files.map(({ path }) => path) }];
    }),
    ...asked.filter((file) => !shared.includes(file)).map(alone),
    ...(named.length > 0 || which.fast ? [] : checks()),
  ];
  return jobs.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The order where no earlier run tells how long a job takes: the longest first. */
function rankOf({ kind, files }: Job): number {
  if (/^(workerd|browser)/.test(kind)) return 0;
  return files.length > 1 ? 1 : 2;
}

/** The process that a file shares with others. */
function groupOf({ path, text, kind }: TestFile): string {
  if (kind === "browser") return "one browser";
  if (/^(house|workerd)$/.test(kind)) return kind;
  if (kind === "whole programs")
    return `whole programs: ${LARGE.exec(basename(path))?.[0] ?? "others"}`;
  if (/^test\/engine\/retrieval\/[^/]+$/.test(path) && SLOW.test(text)) return "retrieval, slow";
  const program = path.startsWith("test/engine/") ? "engine" : "sign-in server and shared";
  if (SLOW.test(text)) return `${program}, slow`;
  return OUTER.test(path) ? "engine: files, models, tools and clients" : program;
}

function kindOf(path: string): Kind {
  const [, folder] = path.split("/");
  if (folder === "house") return "house";
  if (folder !== "whole") return "rules and routes";
  const name = basename(path);
  if (BROWSER.test(name)) return "browser";
  return WORKERD.test(name) ? "workerd" : "whole programs";
}

function alone({ path, kind }: { path: string; kind: Kind }): Job {
  return { name: path, kind, files: [path] };
}

/** The commands of `npm run check`, beside the tests. */
function checks(): Job[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  return scripts.check.split(" && ").map((name: string): Job => {
    return { name, kind: "check", command: name.split(" "), files: [] };
  });
}
