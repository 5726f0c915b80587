import { runProgram } from "./program.ts";

// A module of its own: what the program loads on first use imports parts of it, and would wait for this `await`.
await runProgram(process.argv.slice(2), process.env);
