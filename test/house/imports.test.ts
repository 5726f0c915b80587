import assert from "node:assert/strict";
import { it } from "node:test";
import { readSources, type Source, sliceOf } from "./sources.ts";

const sources = readSources("engine", "signin", "shared");
const programs = ["engine", "signin"] as const;

// Each folder imports only from folders on its left; what is at the top of a program (deps, errors, limits, …) is free.
const ORDER = {
  engine:
    "client db events http runtime secrets system policies workspaces threads messages forks settings account files models checks retrieval search tools grants mcp chat turns client-keys openai realtime status console cli",
  signin:
    "client db config texts http audit rate-limits mail tokens verify providers accounts second-factor sessions connections passwords account-settings passkeys reauthentication native login page operations node workers cli",
} as const;
const TOPS = new Set([
  "app.ts",
  "openapi.ts",
  "main.ts",
  "program.ts",
  "run.ts",
  "worker.ts",
  "deps.ts",
]);

function violations(check: (source: Source) => string[]): string[] {
  return sources.flatMap((source) => check(source).map((what) => `${source.path}: ${what}`));
}

function specifiersOutside(specifier: RegExp, allowed: RegExp): string[] {
  return violations(({ path, imports }) =>
    allowed.test(path)
      ? []
      : imports.flatMap((found) =>
          specifier.test(found.specifier) && !found.typeOnly ? found.specifier : [],
        ),
  );
}

it("the programs never import each other, and shared/ imports neither", () => {
  const found = violations(({ path, imports }) => {
    const own = path.split("/")[0] ?? "";
    const allowed = own === "shared" ? ["shared"] : [own, "shared"];
    return imports.flatMap(({ target }) =>
      target && !allowed.includes(target.split("/")[0] ?? "") ? target : [],
    );
  });
  assert.deepEqual(found, []);
});

it("relative imports name the file they mean, with its extension", () => {
  const found = violations(({ imports }) =>
    imports.flatMap(({ target, specifier }) =>
      target && !/\.(tsx?|mjs|json|txt|html|css)$/.test(target) ? specifier : [],
    ),
  );
  assert.deepEqual(found, []);
});

it("frameworks and drivers each stay in their place", () => {
  const places: [specifier: RegExp, allowed: RegExp][] = [
    [
      /^(hono|@hono)(\/|$)/,
      /^engine\/tools\/builtin\/|(^|\/)(openapi|([\w-]+-)?(routes|wire)|app)\.ts$|\/http\/|^shared\/node\/serve\.ts$/,
    ],
    [/^ws$/, /\/node-sockets\.ts$/],
    [
      /^drizzle-orm(\/|$)/,
      /\/db\/|[\w-]*store\.ts$|\/sidecar[^/]*\.ts$|\/sidecar\/|^shared\/database\.ts$/,
    ],
    [
      /^(@libsql\/|libsql$)/,
      /^shared\/(database|migrate|node\/[\w-]+)\.ts$|\/db\/|\/sidecar|^signin\/(node|workers|cli)\//,
    ],
    [/^(oauth4webapi)$/, /^signin\/(providers|http)\//],
    [/^uqr$/, /^signin\/second-factor\/qr\.ts$/],
    [/^tldts$/, /^signin\/config\/relying-party\.ts$/],
    [/^jose$/, /^signin\/(tokens|verify|providers)\//],
    [/^@ai-sdk\/.*$/, /^engine\/models\/providers\//],
    [/^@modelcontextprotocol\/client$/, /^engine\/mcp\/(connection|session-transport|fault)\.ts$/],
    [/^@modelcontextprotocol\/server(\/|$)/, /^engine\/cli\/mcp\/(stdio-server|paced-stdio)\.ts$/],
    [/^@napi-rs\/keyring$/, /^engine\/secrets\/keychain\.ts$/],
    [/^birpc$/, /^engine\/retrieval\/thread\.ts$/],
    [/^ipaddr\.js$/, /^(signin\/config\/network|engine\/openai\/private-address)\.ts$/],
    [/^prom-client$/, /^signin\/node\/metrics\.ts$/],
    [/^pino$/, /^shared\/node\/logger\.ts$/],
    [/^commander$/, /\/cli\//],
  ];
  const found = places.flatMap(([specifier, allowed]) => specifiersOutside(specifier, allowed));
  assert.deepEqual(found, []);
});

it("only app.ts imports routes", () => {
  const found = violations(({ path, imports }) =>
    /(^|\/)app\.ts$/.test(path)
      ? []
      : imports.flatMap(({ target }) => (target?.endsWith("/routes.ts") ? target : [])),
  );
  assert.deepEqual(found, []);
});

it("folders form a line: each imports only from its left", () => {
  const found = programs.flatMap((program) => {
    const order = ORDER[program].split(" ");
    return violations(({ path, imports }) => {
      if (!path.startsWith(`${program}/`) || TOPS.has(path.split("/")[1] ?? "")) return [];
      const own = sliceOf(path);
      return imports.flatMap(({ target }) => {
        if (!target?.startsWith(`${program}/`)) return [];
        const slice = sliceOf(target);
        if (slice === "" || slice === own) return [];
        if (!order.includes(slice))
          return `${target}: the folder ${slice} has no place in the line`;
        const left = own === "" ? !isSlice(slice) : order.indexOf(slice) < order.indexOf(own);
        return left ? [] : target;
      });
    });
  });
  assert.deepEqual(found, []);
});

// What is at the top of a program may use its spine, not its slices.
function isSlice(folder: string): boolean {
  return !["db", "config", "events", "http", "secrets", "runtime", "tokens", "node"].includes(
    folder,
  );
}

/** The files that a file imports, itself and through others. */
function reachedBy(all: readonly Source[]): (path: string) => ReadonlySet<string> {
  const targets = new Map(
    all.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]),
  );
  return (path) => {
    const seen = new Set<string>();
    const visit = (file: string) => {
      for (const target of targets.get(file) ?? []) {
        if (seen.has(target)) continue;
        seen.add(target);
        visit(target);
      }
    };
    visit(path);
    return seen;
  };
}

it("shared/ has what more than one top folder needs", () => {
  const users = new Map<string, Set<string>>();
  for (const folder of ["engine", "signin", "tools", "dev"]) {
    const own = readSources(folder);
    const reached = reachedBy([...own, ...readSources("shared")]);
    for (const target of own.flatMap(({ path }) => [...reached(path)])) {
      users.set(target, (users.get(target) ?? new Set()).add(folder));
    }
  }
  const found = readSources("shared").flatMap(({ path }) =>
    (users.get(path)?.size ?? 0) < 2 ? path : [],
  );
  assert.deepEqual(found, []);
});

it("a start of the engine loads no command line, and a command no engine", () => {
  const atOnce = readSources("engine", "shared").map((source) => ({
    ...source,
    imports: source.imports.filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic),
  }));
  const loadedBy = reachedBy(atOnce);
  const engine = loadedBy("engine/run.ts");
  assert.ok(engine.has("engine/app.ts"));
  for (const entry of ["engine/main.ts", "engine/run.ts"]) {
    assert.deepEqual(
      [...loadedBy(entry)].filter((path) => path.startsWith("engine/cli/")),
      [],
    );
  }
  for (const entry of ["engine/main.ts", "engine/cli/run.ts"]) {
    const loaded = loadedBy(entry);
    assert.ok(!loaded.has("engine/run.ts") && !loaded.has("engine/app.ts"), entry);
  }
});

it("deps.ts is imported as a type alone", () => {
  const found = violations(({ imports }) =>
    imports.flatMap(({ target, typeOnly }) =>
      target && /^(engine|signin)\/deps\.ts$/.test(target) && !typeOnly ? target : [],
    ),
  );
  assert.deepEqual(found, []);
});

it("the environment is read by the programs' entries alone", () => {
  const found = violations(({ path, lines }) =>
    lines.some((line) => /process\.env\b/.test(line) && !/^\s*(\/\/|\/?\*)/.test(line)) &&
    !/^(engine|signin)\/(main\.ts|start\.mjs|client\/node\.ts)$/.test(path)
      ? ["process.env"]
      : [],
  );
  assert.deepEqual(found, []);
});
