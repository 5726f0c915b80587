// Builds the bundle that `npm start` and each command run: a file for the engine, for the command line, and for each part that is loaded
// on first use (model providers, the keychain). See ARCHITECTURE.md, start.
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { randomToken } from "../shared/random.ts";
import { NODE_BUNDLE, THREADS } from "./bundle-options.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const builds = join(root, ".build", "engine");
const ID_BYTES = 9;
// A running engine loads parts of its own bundle later, so the last few bundles are kept.
const BUNDLES_KEPT = 5;
const ENGINE = ["engine/main.ts"];

const id = randomToken(ID_BYTES);
const startedMs = Date.now();
const bundles = await Promise.all([bundle(ENGINE), bundle(THREADS)]);
writeManifest(new Set(bundles.flatMap(({ inputs }) => Object.keys(inputs))));
prune();

/** Bundles programs that may share files. */
async function bundle(entries: readonly string[]): Promise<Metafile> {
  const { metafile } = await build({
    ...NODE_BUNDLE,
    absWorkingDir: root,
    entryPoints: entries.map((path) => ({ in: path, out: basename(path, ".ts") })),
    outdir: join(builds, id),
    minify: true,
    metafile: true,
    legalComments: "none",
    // The OpenAPI document is a file of its own, so the 30 KB that would make it are left out.
    alias: { "@asteasolutions/zod-to-openapi": "./engine/http/no-documents.ts" },
    // Native code is loaded from node_modules.
    external: ["@libsql/*", "@napi-rs/keyring"],
    plugins: [englishOnly()],
  });
  return metafile;
}

/** Names the bundle and its sources for `start.mjs`. A file saved during the build makes the bundle stale. */
function writeManifest(sources: ReadonlySet<string>): void {
  const own = [...sources].filter((path) => /^(engine|shared)\//.test(path));
  const options = ["engine/bundle.ts", "engine/bundle-options.ts"];
  const inputs = [...own, "package-lock.json", ...options].map((path) => {
    const { mtimeMs, size } = statSync(join(root, path));
    return [path, mtimeMs > startedMs ? 0 : mtimeMs, size];
  });
  const manifest = { main: `.build/engine/${id}/main.mjs`, inputs };
  const temporary = join(builds, `${id}.json`);
  writeFileSync(temporary, JSON.stringify(manifest));
  renameSync(temporary, join(builds, "bundle.json"));
}

function prune(): void {
  // The compile cache of the last bundle is useless to this one.
  rmSync(join(root, ".build", "compiled"), { recursive: true, force: true });
  const age = (name: string) => statSync(join(builds, name)).mtimeMs;
  const bundles = readdirSync(builds, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? entry.name : []))
    .sort((left, right) => age(right) - age(left));
  for (const old of bundles.slice(BUNDLES_KEPT)) {
    rmSync(join(builds, old), { recursive: true, force: true });
  }
}

/** Leaves zod's forty locales out: the engine has its own messages. Saves 10 MB of memory. */
function englishOnly(): Plugin {
  return {
    name: "english-only",
    setup({ onLoad }) {
      onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/][\w-]+\.js$/ }, ({ path }) =>
        /[\\/](en|index)\.js$/.test(path)
          ? undefined
          : { contents: "export default () => ({ localeError: () => undefined });" },
      );
    },
  };
}
