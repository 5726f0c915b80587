import { runProgram } from "./program.ts";

// A separate module: modules that the program loads on first use import parts of it, and would wait for this `await`.
await runProgram(process.argv.slice(2), process.env);
