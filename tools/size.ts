// `npm run size`: hand-written lines of the programs by folder, without generated files, JSON and data.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const PROGRAMS = ["engine", "signin", "shared"];
const HAND_WRITTEN = /\.(ts|tsx|mjs|css)$/;
const GENERATED = /\.generated\.|\/migrations\//;

const files = execFileSync("git", ["ls-files", "--", ...PROGRAMS, "test"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => HAND_WRITTEN.test(path) && !GENERATED.test(path));

const lines = new Map<string, number>();
for (const path of files) {
  const [program = "", ...below] = path.split("/");
  const folder = below.length > 1 ? `${program}/${below[0]}` : `${program}/*`;
  const count = readFileSync(path, "utf8").split("\n").length - 1;
  for (const name of [program, folder]) lines.set(name, (lines.get(name) ?? 0) + count);
}
for (const program of [...PROGRAMS, "test"]) {
  print(program);
  const folders = [...lines.keys()].filter((name) => name.startsWith(`${program}/`));
  folders.sort((left, right) => (lines.get(right) ?? 0) - (lines.get(left) ?? 0)).forEach(print);
}
const sum = PROGRAMS.reduce((total, program) => total + (lines.get(program) ?? 0), 0);
console.log(`${sum}`.padStart(7), PROGRAMS.join(" + "));

function print(name: string): void {
  console.log(`${lines.get(name) ?? 0}`.padStart(7), name.replace(/^\w+\//, "  "));
}
