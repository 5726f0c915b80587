import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The top of the repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The folders of everything but tests: the product, its tools, the development servers and the measurements. */
export const SOURCE_FOLDERS = ["engine", "signin", "shared", "tools", "dev", "bench"] as const;

/** One file of ours, with what it imports. */
export interface Source {
  path: string;
  text: string;
  lines: string[];
  imports: Import[];
}

interface Import {
  /** As it is written. */
  specifier: string;
  /** From the top of the repository, where the import is relative. */
  target: string | undefined;
  typeOnly: boolean;
  /** Loaded on first use. */
  dynamic: boolean;
}

const IMPORT =
  /^\s*(?:import|export)\s+(type\s+)?(?:[^'"();]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

/** Every TypeScript and JavaScript file below these folders that a person wrote. */
export function readSources(...folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: ROOT, exclude: ["**/node_modules"] }),
    )
    .filter((path) => !/\.generated\.(ts|mjs)$/.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(posix.join(ROOT, path), "utf8");
      return { path, text, lines: text.split("\n"), imports: importsOf(path, text) };
    });
}

/** The folder of a program that a file belongs to: `engine/chat/turn.ts` → `chat`; the empty string at its top. */
export function sliceOf(path: string): string {
  const [, slice, ...rest] = path.split("/");
  return rest.length > 0 ? (slice ?? "") : "";
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([statement, type, fixed, onUse]) => {
    const specifier = fixed ?? onUse ?? "";
    const target = specifier.startsWith(".")
      ? posix.join(posix.dirname(path), specifier)
      : undefined;
    const names = /\{([^}]*)\}/.exec(statement)?.[1]?.split(",") ?? [];
    const onlyTypes =
      names.length > 0 &&
      /^\s*(import|export)\s*\{/.test(statement) &&
      names.every((name) => name.trim() === "" || name.trim().startsWith("type "));
    const typeOnly = type !== undefined || onlyTypes;
    return { specifier, target, typeOnly, dynamic: fixed === undefined };
  });
}
