// `npm run pack:client`: writes .build/client/roundhouse-<version>.tgz, what a client's project installs: JavaScript and
// declarations of the package's exports, without dependencies.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/** The sources of what the package exports, and the name of each in it. */
const ENTRIES = {
  "./client": { source: "engine/client/client.ts", name: "client" },
  "./client/node": { source: "engine/client/node.ts", name: "node" },
  "./client/ai-sdk": { source: "engine/client/ai-sdk.ts", name: "ai-sdk" },
  "./signin-client": { source: "signin/client/client.ts", name: "signin-client" },
  "./signin/verify": { source: "signin/verify/verify.ts", name: "verify" },
};

/** What stands for an entry on Node: it can do more there. */
const ON_NODE = {
  "./signin-client": { source: "signin/client/node.ts", name: "signin-client-node" },
};
const SOURCES = [...Object.values(ENTRIES), ...Object.values(ON_NODE)];

/** Its readers are applications, whose own programs have the types of Node or not. */
const LIBRARIES = '/// <reference lib="esnext.disposable" />\n';

/** Packs the client into a folder. Returns the path of the tarball. */
export async function packClient(folder = join(ROOT, ".build/client")): Promise<string> {
  const staging = mkdtempSync(join(tmpdir(), "roundhouse-pack-"));
  try {
    await writeScripts(staging);
    writeDeclarations(staging);
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(describePackage(), null, 2)}\n`);
    for (const file of ["LICENSE", "CLIENTS.md"]) cpSync(join(ROOT, file), join(staging, file));
    cpSync(join(ROOT, "tools/pack-client.md"), join(staging, "README.md"));
    mkdirSync(folder, { recursive: true });
    const options = ["--pack-destination", folder, "--loglevel=error"];
    const name = execFileSync("npm", ["pack", ...options], { cwd: staging, encoding: "utf8" });
    return join(folder, name.trim());
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** One file for each entry, and one for what several of them use: an error class is the same in all. */
async function writeScripts(staging: string): Promise<void> {
  await build({
    entryPoints: SOURCES.map(({ source, name }) => ({
      in: join(ROOT, source),
      out: name,
    })),
    bundle: true,
    splitting: true,
    chunkNames: "shared-[hash]",
    format: "esm",
    platform: "neutral",
    target: "es2022",
    outdir: staging,
    external: ["node:*", "ai"],
    // Of jose the variant for the web platform, which Node has, too.
    mainFields: ["module", "main"],
    conditions: ["browser", "import"],
    legalComments: "inline",
  });
}

/** The declarations that the entries reach, in the folders of their sources. */
function writeDeclarations(staging: string): void {
  const emitted = mkdtempSync(join(tmpdir(), "roundhouse-declarations-"));
  try {
    const project = join(emitted, "tsconfig.json");
    writeFileSync(project, JSON.stringify(declarationProject(emitted)));
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", project], {
      stdio: "inherit",
    });
    const waiting = SOURCES.map(({ source }) => source);
    const seen = new Set(waiting);
    for (const source of waiting) {
      const path = toDeclaration(source);
      const text = readFileSync(join(emitted, path), "utf8");
      for (const [, relative = ""] of text.matchAll(/"(\.[^"\n]*\.ts)"/g)) {
        const target = posix.join(posix.dirname(source), relative);
        if (!seen.has(target)) waiting.push(target);
        seen.add(target);
      }
      const destination = join(staging, "types", path);
      mkdirSync(dirname(destination), { recursive: true });
      writeFileSync(destination, LIBRARIES + text.replace(/"(\.[^"\n]*)\.ts"/g, '"$1.js"'));
    }
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

function declarationProject(outDir: string) {
  return {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      // `npm run check` judges the sources.
      noCheck: true,
      rootDir: ROOT,
      outDir,
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
    include: [],
    files: SOURCES.map(({ source }) => join(ROOT, source)),
  };
}

function toDeclaration(source: string): string {
  return source.replace(/\.ts$/, ".d.ts");
}

function describePackage() {
  const { name, version, description, license, engines, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  const exports = Object.fromEntries(
    Object.entries(ENTRIES).map(([path, { source, name }]) => [
      path,
      { ...onNode(path), types: `./types/${toDeclaration(source)}`, default: `./${name}.js` },
    ]),
  );
  const major = Number.parseInt(devDependencies.ai, 10);
  return {
    name,
    version,
    description: `${description}: its typed clients`,
    license,
    type: "module",
    exports,
    engines,
    peerDependencies: { ai: `^${major}.0.0` },
    peerDependenciesMeta: { ai: { optional: true } },
  };
}

function onNode(path: string) {
  const entry = path in ON_NODE ? ON_NODE[path as keyof typeof ON_NODE] : undefined;
  if (!entry) return {};
  const { source, name } = entry;
  return { node: { types: `./types/${toDeclaration(source)}`, default: `./${name}.js` } };
}

if (import.meta.main) process.stdout.write(`${await packClient()}\n`);
