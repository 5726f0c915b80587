import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";

// `npm run test:fast`: rules and routes, without the files that say that they are slow. Most test files share a process, which
// loads their program once. A file has a process of its own where it says so, and where its hooks stand outside every
// `describe`: they would run for all files.
const OWN_PROCESS = /^(\/\/ In a process of its own:|(before|after)(Each)?\()/m;
const SLOW = /^\/\/ Slow: /;
const PROCESSES_AT_ONCE = 2;
const OPTIONS = ["--import", "./tools/compile-cache.mjs", "--test", "--test-timeout=60000"];

const all = globSync("test/{engine,signin,shared}/**/*.test.ts").sort();
const fast = all.filter((path) => !SLOW.test(readFileSync(path, "utf8")));
const isAlone = (path) => OWN_PROCESS.test(readFileSync(path, "utf8"));
const engine = fast.filter((path) => path.startsWith("test/engine/"));
const others = fast.filter((path) => !engine.includes(path));
// The engine's shared process works longest: the other one's slot takes the rest, in two pieces.
const groups = [
  ["engine", true, engine.filter((path) => !isAlone(path))],
  ["sign-in server and shared", true, others.filter((path) => !isAlone(path))],
  ["sign-in server and shared, in processes of their own", false, others.filter(isAlone)],
  ["engine, in processes of their own", false, engine.filter(isAlone)],
];

const results = [];
await Promise.all(
  Array.from({ length: PROCESSES_AT_ONCE }, async () => {
    for (let next = groups.shift(); next; next = groups.shift()) results.push(await run(...next));
  }),
);
console.log(`left out: ${all.length - fast.length} files that are slow; \`npm test\` has them`);
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Prints the counts of a group, and all that failed in it. Returns whether all of it passed. */
async function run(name, isShared, paths) {
  const isolation = isShared ? ["--test-isolation=none"] : ["--test-concurrency=1"];
  const args = [...OPTIONS, ...isolation, "--test-reporter=spec", ...paths];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.on("close", resolve));
  const count = (what) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, "m").exec(output)?.[1] ?? -1);
  // A file that ends the shared process early leaves no counts, or tests without an end.
  const passed = code === 0 && count("fail") === 0 && count("cancelled") === 0 && count("pass") > 0;
  console.log(
    `${passed ? "passed" : "FAILED"}: ${name}, ${paths.length} files, ${count("pass")} tests`,
  );
  if (!passed) console.log(output.slice(Math.max(0, output.indexOf("failing tests:"))));
  return passed;
}
