import type { BuildOptions } from "esbuild";

/** How esbuild bundles a program for Node: one file an entry, what they share in others, `require` for packages that call it. */
export const NODE_BUNDLE = {
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  logLevel: "error",
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
} as const satisfies BuildOptions;

/**
 * The programs of the engine's threads. They are bundled apart from it: they share no objects with it, and a module that both had would
 * be one more file that every start loads.
 */
export const THREADS = [
  "engine/retrieval/worker.ts",
  "engine/retrieval/documents/document-thread.ts",
  "engine/retrieval/watch/watch-thread.ts",
];
