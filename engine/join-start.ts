import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from "esbuild";

/** A bundle with split files, in memory. */
export interface SplitBundle {
  outputFiles: OutputFile[];
  metafile: Metafile;
}

type Output = Metafile["outputs"][string];

/** The files of the start that others import, with the names of what they export. */
type Shared = ReadonlyMap<string, readonly string[]>;

// The entry that joins, which exists only here.
const START = "start.mjs";

const OPTIONS = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  minify: true,
  outExtension: { ".js": ".mjs" },
  legalComments: "none",
  logLevel: "error",
} satisfies BuildOptions;

/**
 * Joins the files of a split bundle that every start of `program` loads, and writes all files. esbuild gives each set of
 * entries that share a module a file of its own: a start of the engine loaded 26 of them, and now two.
 *
 * The joined file has the name of the program. It exports what the other files import, so that a module still exists once.
 * The program must not wait at its top level: what it loads on first use would wait for it (see `engine/main.ts`).
 */
export async function joinStart(
  { outputFiles, metafile }: SplitBundle,
  program: string,
  folder: string,
): Promise<void> {
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const start = listStart(outputs, program);
  const shared = listShared(outputs, start, program);
  await build({
    ...OPTIONS,
    entryPoints: [{ in: START, out: basename(program, ".mjs") }],
    outdir: folder,
    plugins: [
      fromMemory(start, (name) => (name === START ? exportAll(program, shared) : texts.get(name))),
    ],
  });
  for (const [name, text] of texts) {
    if (!start.has(name)) writeFileSync(join(folder, name), importJoined(text, program, start));
    else if (isLoadedByName(name)) writeFileSync(join(folder, name), reexport(program, name));
  }

  function isLoadedByName(name: string): boolean {
    return name !== program && outputs.get(name)?.entryPoint !== undefined;
  }
  function reexport(from: string, name: string): string {
    const names = shared.get(name) ?? [];
    return `export{${names.map((as) => `${joinedName(name, as)} as ${as}`)}}from"./${from}";`;
  }
}

/** The names of the files that a start loads. */
function listStart(outputs: ReadonlyMap<string, Output>, program: string): Set<string> {
  const start = new Set([program]);
  for (const name of start) {
    for (const imported of listImported(outputs.get(name))) start.add(imported);
  }
  return start;
}

function listShared(
  outputs: ReadonlyMap<string, Output>,
  start: ReadonlySet<string>,
  program: string,
): Shared {
  const imported = [...outputs].flatMap(([name, output]) => {
    if (!start.has(name)) return listImported(output).filter((other) => start.has(other));
    return output.entryPoint !== undefined && name !== program ? name : [];
  });
  return new Map(imported.map((name) => [name, outputs.get(name)?.exports ?? []]));
}

function listImported(output: Output | undefined): string[] {
  const imports = output?.imports ?? [];
  return imports.flatMap(({ kind, external, path }) =>
    kind === "import-statement" && !external ? basename(path) : [],
  );
}

/** Reads the files of the start. What is imported by `import()`, or from elsewhere, stays as it is written. */
function fromMemory(
  start: ReadonlySet<string>,
  text: (name: string) => string | undefined,
): Plugin {
  return {
    name: "from-memory",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind }) => {
        const name = basename(path);
        const isJoined = kind === "import-statement" && path.startsWith("./") && start.has(name);
        if (kind !== "entry-point" && !isJoined) return { path, external: true };
        return { path: name, namespace: "memory" };
      });
      onLoad({ filter: /.*/, namespace: "memory" }, ({ path }) => ({
        contents: text(path),
        loader: "js",
      }));
    },
  };
}

/** The program comes first, so that its modules are evaluated in their order. */
function exportAll(program: string, shared: Shared): string {
  const exports = [...shared].map(
    ([name, names]) =>
      `export {${names.map((as) => `${as} as ${joinedName(name, as)}`)}} from "./${name}";`,
  );
  return [`export * from "./${program}";`, ...exports].join("\n");
}

/** A file that imports from the joined one what it imported from the files of the start. */
function importJoined(text: string, program: string, start: ReadonlySet<string>): string {
  return text
    .replace(/\bimport\{([^{}]*)\}from"\.\/([\w-]+\.mjs)";/g, (written, names: string, name) => {
      if (!start.has(name)) return written;
      const renamed = names.split(",").map((one) => {
        const [exported = "", local = exported] = one.split(" as ");
        return `${joinedName(name, exported)} as ${local}`;
      });
      return `import{${renamed}}from"./${program}";`;
    })
    .replace(/\bimport"\.\/([\w-]+\.mjs)";/g, (written, name) => (start.has(name) ? "" : written));
}

function joinedName(name: string, exported: string): string {
  return `${name.replace(/\W/g, "_")}_${exported}`;
}
