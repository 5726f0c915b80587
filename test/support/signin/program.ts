import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { NODE_BUNDLE } from "../../../engine/bundle-options.ts";
import { SCRYPT_R } from "../../../signin/limits.ts";
import { deriveWithScrypt } from "../../../signin/passwords/scrypt.ts";
import { createScryptHasher } from "../../../signin/passwords/scrypt-hasher.ts";
import { buildOnce } from "../../../tools/test/builds.ts";
import { ROOT } from "../../house/sources.ts";

/** Other values for constants of a `limits.ts`, by the path of its file. */
export type Limits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A hash of a password takes 2 ms and not 140. */
export const QUICK_HASHES = { SCRYPT_LOG_N: 10, SCRYPT_P: 1 };

/** A smaller crowd fills the queue of hashes, and no cleanup takes the expired rows that a test inserts. */
const OF_TESTS = { HASHES_WAITING_MAX: 24, CLEANUP_FIRST_AFTER_MS: 3_600_000 };

/** The same hashes within the process of a test. */
export const QUICK_HASHER = createScryptHasher({
  derive: deriveWithScrypt,
  queue: { run: (_client, hash) => hash() },
  parameters: {
    log2Cost: QUICK_HASHES.SCRYPT_LOG_N,
    blockSize: SCRYPT_R,
    parallelism: QUICK_HASHES.SCRYPT_P,
  },
});

/**
 * Bundles `signin/main.ts` and returns its path: a start from sources takes three times as long. Tests of the start itself run the
 * sources (test/whole/signin-node-start.test.ts).
 */
export async function buildSignin(limits: Limits = {}): Promise<string> {
  const own = { ...QUICK_HASHES, ...OF_TESTS, ...limits["signin/limits.ts"] };
  const changed: Limits = { ...limits, "signin/limits.ts": own };
  const folder = await buildOnce({
    name: "signin-node",
    sources: ["shared", "signin"],
    variant: JSON.stringify(changed),
    make: (outdir) => bundle(outdir, changed),
  });
  return join(folder, "main.mjs");
}

async function bundle(outdir: string, limits: Limits): Promise<void> {
  await build({
    ...NODE_BUNDLE,
    absWorkingDir: ROOT,
    entryPoints: ["signin/main.ts"],
    outdir,
    // Native code is loaded from node_modules.
    external: ["@libsql/*", "libsql"],
    plugins: [withLimits(limits)],
  });
}

/** Changes constants, and keeps the folder of a source where it looks for other files. */
function withLimits(limits: Limits): Plugin {
  return {
    name: "limits",
    setup({ onLoad }) {
      onLoad({ filter: /\/(signin|shared)\/.*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const changed = replaceLimits(source, path, limits[path.slice(ROOT.length)] ?? {});
        const folder = JSON.stringify(dirname(path));
        return { contents: changed.replaceAll("import.meta.dirname", folder), loader: "ts" };
      });
    },
  };
}

/** Changes constants in the text of a file. @throws where it has none of that name */
export function replaceLimits(text: string, path: string, limits: Limits[string]): string {
  return Object.entries(limits).reduce((changed, [name, value]) => {
    const declaration = new RegExp(`\\b(const|var) ${name} = [\\d_]+;`);
    if (!declaration.test(changed)) throw new Error(`${path} has no ${name}.`);
    return changed.replace(declaration, `$1 ${name} = ${value};`);
  }, text);
}
