import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { ROOT, readSources } from "./sources.ts";

const { dependencies, scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
// Not TypeScript, so not typed.
const { refuseNode } = await import(`${ROOT}shared/node/launch.mjs`);

it("`npm ci --omit=dev` installs all that the programs import, Node included", () => {
  const found = readSources("engine", "signin", "shared").flatMap(({ path, imports }) =>
    // Pages are served from modules that are in the tree.
    /\/drizzle\.config\.ts$|^engine\/console\/page\/|^signin\/page\/client\//.test(path)
      ? []
      : imports.flatMap(({ specifier, typeOnly }) => {
          if (typeOnly || /^(\.|node:|cloudflare:)/.test(specifier)) return [];
          const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";
          return Object.hasOwn(dependencies, name) ? [] : `${path}: ${specifier}`;
        }),
  );
  assert.deepEqual(found, []);
  assert.match(dependencies.node, /^24\./);
});

it("what npm starts is JavaScript that an old Node can read, and that asks which one it is first", () => {
  const sources = readSources("engine", "signin", "dev");
  for (const name of ["start", "engine", "dev", "signin", "signin:edge"]) {
    const entry = scripts[name].split(" ").at(-1);
    const source = sources.find(({ path }) => path === entry);
    assert.ok(source && entry.endsWith(".mjs"), `${name}: ${entry}`);
    const fixed = [...source.text.matchAll(/^import .* from "([^"]+)"/gm)].map(([, from]) => from);
    assert.deepEqual(
      fixed.filter((from) => from?.endsWith(".ts")),
      [],
      name,
    );
    assert.match(source.text, /^requireNode\("npm (start|run dev|run signin(:edge)?)"\);$/m);
    assert.match(source.text, /\bstopWithParent\(\);$/m);
  }
});

it("an old Node is refused in one sentence", () => {
  assert.match(
    refuseNode("20.20.2", "npm run signin") ?? "",
    /^[^\n]*Node 24[^\n]*20\.20\.2[^\n]*$/,
  );
  assert.match(refuseNode("9.0.0", "npm start") ?? "", /npm start/);
  assert.equal(refuseNode("24.0.0", "npm start"), undefined);
  assert.equal(refuseNode("100.1.0", "npm start"), undefined);
});

interface Component {
  group?: string;
  name: string;
  properties?: { name: string }[];
}

it("the command of SECURITY.md lists the packages of production, and marks those of development", async () => {
  const page = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
  const [command = "", ...args] = /`(npm sbom [^`]+)`/.exec(page)?.[1]?.split(" ") ?? [];
  const mark = /`(cdx:[^`]+)`/.exec(page)?.[1];
  const { stdout } = await promisify(execFile)(command, args, { cwd: ROOT, maxBuffer: 2 ** 24 });
  const list: { bomFormat: string; components: Component[] } = JSON.parse(stdout);
  assert.equal(list.bomFormat, "CycloneDX");
  const names = list.components
    .filter(({ properties = [] }) => !properties.some(({ name }) => name === mark))
    .map(({ group, name }) => (group ? `${group}/${name}` : name));
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !names.includes(name)),
    [],
  );
  assert.deepEqual(
    ["typescript", "wrangler"].filter((name) => names.includes(name)),
    [],
  );
});
