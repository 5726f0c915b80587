// Preloaded into a whole program (`node --import`): the waits for a client and for a provider are short, so that a test of them is.
import { registerHooks } from "node:module";

const SHORT = {
  "/shared/node/serve.ts": { HEADERS_TIMEOUT_MS: 1_000, TIMEOUT_CHECK_INTERVAL_MS: 100 },
  "/signin/limits.ts": { REQUEST_TIMEOUT_MS: 1_000, PROVIDER_TIMEOUT_MS: 3_000 },
};

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const [, limits] = Object.entries(SHORT).find(([path]) => url.endsWith(path)) ?? [];
    if (limits === undefined) return loaded;
    let source = String(loaded.source);
    for (const [name, value] of Object.entries(limits)) {
      const declaration = new RegExp(`\\bconst ${name} = [\\d_]+;`);
      if (!declaration.test(source)) throw new Error(`${url} has no ${name}.`);
      source = source.replace(declaration, `const ${name} = ${value};`);
    }
    return { ...loaded, source };
  },
});
