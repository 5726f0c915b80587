// In a process of its own: it waits for the packages of tools/extra.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { packClient } from "../../tools/pack-client.ts";
import { snippetsOf } from "../house/snippets.ts";
import { ROOT } from "../house/sources.ts";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { sharedBrowser } from "../support/browser/shared.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { isLongRun } from "../support/repeats.ts";
import { serveFolder } from "./programs/static-server.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "roundhouse-package-"));
const project = join(folder, "project");
let pages: Awaited<ReturnType<typeof serveFolder>>;
let engine: EngineProcess;

// What every entry exports, named as a reader of the types names it.
const USES = `
import { createClient, EngineError, type ChatEvent, type Workspace } from "roundhouse/client";
import { connect, type ConnectOptions } from "roundhouse/client/node";
import { createVerifier } from "roundhouse/signin/verify";
import { createSigninClient, type Me } from "roundhouse/signin-client";

export async function use(options: ConnectOptions): Promise<string> {
  await using engine = await connect(options);
  const workspaces: Workspace[] = await engine.workspaces.list();
  const events: ChatEvent[] = await Array.fromAsync(engine.chat({ content: "go", workspaceUuid: "w" }));
  for await (const page of engine.pages("listThreads", "w", { limit: 5 })) page.map(({ title }) => title);
  const { text } = await engine.chat(
    { content: "go", workspaceUuid: workspaces[0]!.uuid },
    { transport: "websocket", uiTools: { navigate_ui: (args) => args }, onApproval: () => "approve" },
  );
  // Nothing became any: it would intersect with 1.
  const isTyped: 0 extends 1 & Workspace["uuid"] ? never : true = true;
  if (!isTyped) createClient({ baseUrl: "", token: "" });
  const me: Me = await createSigninClient({ baseUrl: "https://host.example", storage: sessionStorage }).account.getMe();
  me.connectedProviders.map((slug) => slug.length);
  createVerifier({ issuer: "https://host.example", audience: "a" });
  return events.length > 0 ? text : new EngineError("", { status: 0 }).message;
}
`;

// Each page's TypeScript, with the names that a reader's program has.
const SNIPPETS = [
  { file: "first.ts", code: () => snippetsOf("docs/client.md", "ts first")[0] },
  { file: "packed.ts", code: () => snippetsOf("tools/pack-client.md", "ts first")[0] },
  { file: "more.ts", code: () => snippetsOf("docs/client.md", "ts more")[0] },
  { file: "approvals.ts", code: () => snippetsOf("CLIENTS.md", "ts approvals")[0] },
  { file: "signin.ts", code: () => GIVEN + snippetsOf("docs/client.md", "ts signin")[0] },
  { file: "verify.ts", code: () => GIVEN + snippetsOf("docs/signin/tokens.md", "ts verify")[0] },
];
const GIVEN = "declare const email: string, password: string, token: string;\n";

before(async () => {
  const tarball = await packClient(folder);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
  const options = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options, tarball], { cwd: project });
  // An optional peer, for the types of the transport.
  symlinkSync(join(ROOT, "node_modules/ai"), join(project, "node_modules/ai"));
  for (const { file, code } of SNIPPETS) writeFileSync(join(project, file), code() ?? "");
  writeFileSync(join(project, "uses.ts"), USES);
  cpSync(join(ROOT, "examples/terminal-chat.ts"), join(project, "terminal-chat.ts"));
  cpSync(join(ROOT, "examples/browser.html"), join(project, "browser.html"));
  pages = await serveFolder(project);
  engine = await startEngineProcess({ env: { ENGINE_ALLOWED_ORIGINS: pages.origin } });
});

after(async () => {
  await engine[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe("the packed client, in an empty project", () => {
  it("has no dependencies, and no import of what is not in it", () => {
    const installed = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
    assert.deepEqual(Object.keys(installed.packages), ["", "node_modules/roundhouse"]);
    for (const name of ["client", "ai-sdk", "signin-client"]) {
      const script = readFileSync(join(project, `node_modules/roundhouse/${name}.js`), "utf8");
      assert.deepEqual(script.match(/from "(?!\.\/)[^"]*"/g), null, name);
    }
  });

  it("runs the first snippets of the pages beside a running engine", async () => {
    const env = { ...process.env, ENGINE_DATA_DIR: engine.dataDirectory };
    for (const file of ["first.ts", "packed.ts"]) {
      const { stdout } = await run(process.execPath, [file], { cwd: project, env });
      assert.match(stdout, /Hello/);
    }
    const more = readFileSync(join(project, "more.ts"), "utf8").replace("60_000", "0");
    const args = ["--input-type=module-typescript", "-e", more];
    const { stdout } = await run(process.execPath, args, { cwd: project, env });
    assert.match(stdout, /^Hello$/m);
  });

  it("imports the verifier", async () => {
    const script = `
      import { createVerifier, TokenRejected } from "roundhouse/signin/verify";
      const verify = createVerifier({ issuer: "https://host.example", audience: "a", jwks: { keys: [] } });
      const error = await verify("no token").catch((error) => error);
      console.log(error instanceof TokenRejected, error.reason);`;
    const args = ["--input-type=module", "-e", script];
    const { stdout } = await run(process.execPath, args, { cwd: project });
    assert.match(stdout, /^true malformed$/m);
  });

  // The older one takes six times as long: only a long run has it check the declarations themselves, beside their use.
  const COMPILERS = [
    ["tools/extra/node_modules", /^5\.9\./, isLongRun],
    ["node_modules", /^7\./, true],
  ] as const;
  for (const [packages, expected, isWhole] of COMPILERS) {
    const compiler = join(ROOT, packages, "typescript/bin/tsc");
    const skip = existsSync(compiler) ? false : "`npm run extra` installs what it needs";
    it(`has types for the TypeScript in ${packages}`, { skip }, async () => {
      const { version } = JSON.parse(
        readFileSync(join(ROOT, packages, "typescript/package.json"), "utf8"),
      );
      assert.match(version, expected);
      const transport = `import { RoundhouseChatTransport } from "roundhouse/client/ai-sdk";
        import type { ChatTransport, UIMessage } from "ai";
        export const transport: ChatTransport<UIMessage> = new RoundhouseChatTransport({ client: null!, workspaceUuid: "w" });`;
      writeFileSync(join(project, "transport.ts"), transport);
      const files = [...SNIPPETS.map(({ file }) => file), "uses.ts", "terminal-chat.ts"];
      const used = (names: string[]) => configOf(names, { skipLibCheck: true });
      await check(
        compiler,
        isWhole
          ? [configOf(files, { skipDefaultLibCheck: true }), used(["transport.ts"])]
          : [used([...files, "transport.ts"])],
      );
    });
  }

  it("runs examples/terminal-chat.ts", async () => {
    const env = { ...process.env, ENGINE_DATA_DIR: engine.dataDirectory };
    const before = await countThreads();
    const child = spawn(process.execPath, ["terminal-chat.ts"], { cwd: project, env });
    const printed = text(child.stdout);
    child.stdin.end("Hello there\nOnce more\n");
    assert.equal(await printed, "> Hello there\nOnce more\n");
    assert.equal(await countThreads(), before + 1);
  });

  it("runs examples/browser.html in Chromium, from a listed origin", {
    skip: NO_CHROMIUM,
  }, async () => {
    const page = await (await sharedBrowser()).newPage();
    const given = new URLSearchParams({ baseUrl: engine.baseUrl, token: engine.runtime.token });
    await page.goto(`${pages.origin}/browser.html#${given}`);
    for (const question of ["Hello from a page", "And again"]) {
      await page.getByRole("textbox").fill(question);
      await page.getByRole("button").click();
      const answer = page.locator("#answers", {
        hasText: new RegExp(`> ${question}\\n.*${question}`),
      });
      await answer.waitFor();
    }
    assert.ok(!page.url().includes(engine.runtime.token));
    await page.close();
  });
});

/** The threads of all workspaces. */
async function countThreads(): Promise<number> {
  const workspaces = await json(await engine.call("GET", "/workspaces"));
  const threads = await Promise.all(
    workspaces.map(async ({ uuid }: { uuid: string }) =>
      json(await engine.call("GET", `/workspaces/${uuid}/threads`)),
    ),
  );
  return threads.flat().length;
}

/** Checks the projects in one process, which reads the declarations of the platform once. */
async function check(compiler: string, configs: readonly object[]): Promise<void> {
  const paths = configs.map((config, at) => {
    const path = join(project, `tsconfig.${at}.json`);
    writeFileSync(path, JSON.stringify(config));
    return path;
  });
  const { stdout } = await run(process.execPath, [compiler, "--build", "--force", ...paths]).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, "");
}

function configOf(files: string[], more: Record<string, unknown> = {}) {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "esnext",
    module: "nodenext",
    lib: ["esnext", "dom", "dom.iterable"],
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
    ...more,
  };
  return { compilerOptions, files };
}
