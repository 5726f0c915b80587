import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startEngineProcess } from "../support/engine/process.ts";
import { bashOf, runBash } from "./snippets.ts";
import { ROOT } from "./sources.ts";

const documents = globSync("{*.md,docs/**/*.md,signin/*.md}", { cwd: ROOT }).sort();
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("what the documents name", () => {
  it("are the five that a reader expects", () => {
    const names = ["ARCHITECTURE.md", "CLIENTS.md", "CONTRIBUTING.md", "DECISIONS.md", "README.md"];
    for (const name of names) {
      assert.ok(documents.includes(name), name);
    }
  });

  it("paths are there", () => {
    const missing = documents.flatMap((document) =>
      [
        ...read(document).matchAll(
          /`((?:engine|signin|shared|tools|dev|bench|test|docs|\.ci)\/[\w./*{},-]*|[A-Z]+\.md)`/g,
        ),
      ]
        .map(([, path = ""]) => path)
        .filter((path) => globSync(path.replace(/\/$/, ""), { cwd: ROOT }).length === 0)
        .map((path) => `${document}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  it("links lead to files", () => {
    const missing = documents.flatMap((document) =>
      [...read(document).matchAll(/(?:\]\(|src(?:set)?=")(?!https?:|#)([^)#"]+)/g)]
        .map(([, path = ""]) => join(document, "..", path))
        .filter((path) => !existsSync(join(ROOT, path)))
        .map((path) => `${document}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  it("is short: a README of 700 words, an ARCHITECTURE.md of 3,000", () => {
    const wordsOf = (path: string) => read(path).trim().split(/\s+/).length;
    assert.ok(wordsOf("README.md") <= 700);
    assert.ok(wordsOf("ARCHITECTURE.md") <= 3000);
  });

  it("folders have a row each in the tree of ARCHITECTURE.md", () => {
    const text = read("ARCHITECTURE.md");
    const ignored = read(".gitignore").split("\n");
    const folders = globSync(["{engine,signin}/*/", "*/"], { cwd: ROOT })
      .map((path) => `${path.replace(/\/$/, "")}/`)
      .filter((path) => !ignored.includes(path));
    assert.ok(folders.length > 30);
    assert.deepEqual(
      folders.filter((path) => !new RegExp(`^\\| \`${path}\``, "m").test(text)),
      [],
    );
  });

  it("npm scripts are there, and every script is named somewhere", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const text = documents.map(read).join("\n");
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = ""]) => script);
    assert.deepEqual(
      named.filter((script) => !(script in scripts)),
      [],
    );
    const builtIn = ["start", "test"];
    assert.deepEqual(
      Object.keys(scripts).filter((script) => !builtIn.includes(script) && !named.includes(script)),
      [],
    );
  });

  it("variables of the engine are the ones that it reads", () => {
    const variables = (text: string) => new Set(text.match(/\bENGINE_[A-Z_]+[A-Z]\b/g));
    const documented = variables(read("docs/settings.md"));
    assert.deepEqual([...documented].sort(), [...variables(read("engine/config.ts"))].sort());
  });

  it("routes of an account are those of the sign-in server, each in its page", () => {
    const { paths } = JSON.parse(read("signin/openapi.json"));
    const named = new Set(
      [...read("docs/signin/account.md").matchAll(/`([A-Z]+ \/auth\/[^\s`?]+)/g)].map(
        ([, route]) => route,
      ),
    );
    const served = Object.entries<object>(paths).flatMap(([path, methods]) =>
      path.startsWith("/auth/")
        ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
        : [],
    );
    assert.deepEqual([...named].sort(), served.sort());
  });

  it("nothing of the machine that they were written on", () => {
    for (const document of documents) {
      assert.doesNotMatch(read(document), /(?<!\w)\/(work|root|home|tmp)\//, document);
    }
  });
});

describe("the providers of development", () => {
  it("have the clients and callbacks that the page of the sign-in server names", () => {
    const { google, github } = JSON.parse(read("dev/providers.json"));
    const text = read("docs/signin/development.md");
    for (const [kind, slug, [client]] of [
      ["OIDC", "google", google.oauth_clients],
      ["OAUTH", "github", github.oauth_apps],
    ]) {
      assert.match(text, new RegExp(`${kind}_PROVIDER_CLIENT_ID=${client.client_id} `));
      assert.match(text, new RegExp(`${kind}_PROVIDER_CLIENT_SECRET=${client.client_secret} `));
      assert.deepEqual(client.redirect_uris, [`http://localhost:8787/auth/${slug}/callback`]);
    }
  });
});

describe("the first five minutes of the README", () => {
  it("run as they are written: an answer, the state, the checks, a backup", async () => {
    await using engine = await startEngineProcess();
    const backup = join(ROOT, "first-steps.backup");
    const env = { ENGINE_DATA_DIR: engine.dataDirectory, ENGINE_CREDENTIAL_STORE: "file" };
    try {
      const stdout = await runBash(bashOf("README.md", "five-minutes"), env);
      assert.match(stdout, /^hello$/m);
      assert.match(stdout, /^The engine runs at http:/m);
      assert.match(stdout, /^✓ database: /m);
      assert.ok(statSync(backup).size > 0);
    } finally {
      rmSync(backup, { force: true });
    }
  });
});

describe("the walk-through of CLIENTS.md", () => {
  it("run as they are written and show what they promise", async () => {
    await using engine = await startEngineProcess();
    const stdout = await runBash(bashOf("CLIENTS.md", "walk"), {
      ENGINE_DATA_DIR: engine.dataDirectory,
    });
    assert.match(stdout, /"status":"ok"/);
    const events = [...stdout.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
    assert.deepEqual(
      events.filter(({ type }) => type !== "graph.execution").map(({ type }) => type),
      ["thread.created", "message.created", "message.created"],
    );
    const frames = [...stdout.matchAll(/^\{"v":1.*$/gm)].map(([json]) => JSON.parse(json));
    assert.equal(frames.at(-1).type, "chat.done");
    const delta = frames.find(({ type }) => type === "chat.delta");
    assert.equal(delta.data.delta, "Hello, is anybody there?");
    const messages = JSON.parse(stdout.split("\n").find((line) => line.startsWith("[{")) ?? "[]");
    assert.deepEqual(
      messages.map(({ role, content }: { role: string; content: string }) => [role, content]),
      [
        ["user", "Hello, is anybody there?"],
        ["assistant", "Hello, is anybody there?"],
      ],
    );
  });
});
