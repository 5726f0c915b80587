import assert from "node:assert/strict";
import { cpSync, linkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { MIB } from "../../shared/units.ts";
import { createTestFolder } from "../support/engine/files.ts";
import { residentBytes, runEngineProcess, startEngineProcess } from "../support/engine/process.ts";
import { openSocket } from "../support/engine/sockets.ts";
import { docxOfParagraphs, nestedForms } from "../support/files/bombs.ts";
import { json } from "../support/http.ts";
import { answerChunks } from "../support/providers/server.ts";
import { repeats, rounds } from "../support/repeats.ts";
import { until } from "../support/time.ts";
import { type AttackedEngine, startAttackedEngine } from "./programs/attacked-engine.ts";
import { startSwapping } from "./programs/swapping.ts";

// Both are above what one part of a DOCX may have.
const DOCX_BYTES = repeats({ once: 21, long: 80 }) * MIB;

let harness: AttackedEngine;
before(async () => {
  harness = await startAttackedEngine({
    blanks: { "a.txt": "okapi", "evil.md": `# a${" ".repeat(20_000)}\u2028y\n` },
    tokens: { "a.txt": "okapi", "evil.txt": "-eyJaaaaaaaaaaa".repeat(66_000) },
    forms: { "evil.pdf": nestedForms() },
    paragraphs: { "a.txt": "okapi", "evil.docx": docxOfParagraphs(DOCX_BYTES), "z.txt": "okapi" },
    raced: { x: { "runtime.json": "plain" } },
    linked: { "a.txt": "okapi" },
    home: { "a.txt": "okapi" },
    walked: { d: { "plain.txt": "okapi" } },
    outside: { "id_rsa_outside.pem": "" },
  });
});
after(() => harness[Symbol.asyncDispose]());

/** Indexes a root while another workspace is searched; what is healthy in it is found afterwards. */
async function indexBeside(root: string, healthy: number): Promise<void> {
  const { call, folder, search, searchBeside, workspace } = harness;
  const uuid = await workspace(folder.at(root));
  const run = call("POST", `/workspaces/${uuid}/rag/index`);
  for (let at = 0; at < 10; at += 1) await searchBeside();
  await json(await run);
  assert.equal((await search(uuid, "okapi")).length, healthy);
}

/** The provider asks for one tool many times, then says a word. */
function scriptCalls(name: string, args: object, times: number): void {
  const { provider, wire } = harness;
  const fragments = [JSON.stringify(args)];
  const calls = Array.from({ length: times }, (_, at) => ({
    call: { id: `c${at}`, name, fragments },
  }));
  for (const said of [calls, [{ text: "done" }]]) {
    provider.script(answerChunks(wire.contentType, wire.chunks(said)));
  }
}

/** Nothing that the model or a client ever saw holds the token of the engine. */
function assertTokenUnseen(seen: unknown): void {
  const { engine, provider } = harness;
  const everything = JSON.stringify([seen, provider.exchanges.map(({ body }) => body)]);
  assert.ok(!everything.includes(engine.runtime.token));
}

/** Neither the token nor its surroundings are found in the index of a root. */
async function assertTokenNotIndexed(root: string): Promise<void> {
  const { call, engine, folder, search, workspace } = harness;
  const uuid = await workspace(folder.at(root));
  await json(await call("POST", `/workspaces/${uuid}/rag/index`));
  assert.equal((await search(uuid, "okapi")).length, 1);
  for (const query of [engine.runtime.token, "token", "startedAt", "host port"]) {
    // A part of a random token may be a part of another word: the healthy file may be found.
    for (const { path } of await search(uuid, query)) assert.equal(path, "a.txt", query);
  }
}

/** What was done to an engine once, at a size that held it for minutes; `run` is what it answers now. */
const ATTACKS: readonly [name: string, run: () => Promise<void>][] = [
  ["1. blanks before a line separator in Markdown stop no search", () => indexBeside("blanks", 1)],
  ["1. beginnings of tokens in a text stop no search", () => indexBeside("tokens", 1)],
  ["2. a DOCX of empty paragraphs stops no search", () => indexBeside("paragraphs", 2)],
  [
    "2. forms within forms of a PDF stop no search, and their run can be cancelled",
    async () => {
      const { call, folder, searchBeside, workspace } = harness;
      const path = `/workspaces/${await workspace(folder.at("forms"))}/rag`;
      const run = call("POST", `${path}/index`);
      for (let at = 0; at < 10; at += 1) await searchBeside();
      await until("The run", async () => {
        const { cancelled } = await json(await call("POST", `${path}/cancel`), 202);
        return cancelled > 0;
      });
      assert.equal((await run).status, 409);
    },
  ],
  [
    "3. the error text of a provider is not matched at length",
    async () => {
      const { provider, turn, wire, workspace } = harness;
      const chunk = wire.errorChunk("input token count ".repeat(220_000));
      provider.script(answerChunks(wire.contentType, [chunk]));
      assert.equal((await turn(await workspace(undefined))).terminal, "chat.error");
    },
  ],
  [
    "4. the long id of a frame is refused, and not logged",
    async () => {
      const { port, token } = harness.engine.runtime;
      const socket = openSocket(port, { headers: { Authorization: `Bearer ${token}` } });
      socket.raw.on("open", () => {
        socket.say({ type: "chat.send", id: "-eyJaaaaaaaaaaa".repeat(66_000), data: {} });
      });
      assert.match(
        (await socket.until(({ type }) => type === "error")).data.error,
        /id of a frame/,
      );
      socket.raw.close();
      assert.ok(!harness.engine.stderr().includes("-eyJaaaaaaaaaaa"));
    },
  ],
  [
    "5. a hard link to the runtime file is read only after a question",
    async () => {
      const { engine, folder, turn, workspace } = harness;
      const path = folder.at("linked", "hard.json");
      linkSync(`${engine.dataDirectory}/runtime.json`, path);
      const uuid = await workspace(folder.at("linked"));
      for (const [name, args] of [
        ["read_file", { path }],
        ["read_workspace_file", { root_index: 0, path: "hard.json" }],
      ] as const) {
        scriptCalls(name, args, 1);
        const { asked, socket } = await turn(uuid);
        assert.equal(asked, 1, name);
        assertTokenUnseen(socket.frames);
      }
    },
  ],
  [
    "5. a folder exchanged with a link to the data directory gives nothing of it",
    async () => {
      const { engine, folder, turn, workspace } = harness;
      const uuid = await workspace(undefined);
      await using _ = await startSwapping("folder", folder.at("raced", "x"), engine.dataDirectory);
      for (const _round of rounds("turns", { once: 1, long: 5 })) {
        scriptCalls("read_file", { path: folder.at("raced", "x", "runtime.json") }, 90);
        assertTokenUnseen((await turn(uuid)).socket.frames);
      }
    },
  ],
  [
    "6. a root of a million slashes is refused at each of its operations",
    async () => {
      const { call, workspace } = harness;
      const uuid = await workspace(`${"/".repeat(1_000_000)}x`);
      for (const path of ["/files?rootIndex=0", "/files/search?q=x"]) {
        assert.ok((await call("GET", `/workspaces/${uuid}${path}`)).status < 500);
      }
      assert.equal((await call("POST", `/workspaces/${uuid}/rag/index`)).status, 400);
    },
  ],
  [
    "6. a base URL of a million slashes ends its turn",
    async () => {
      const { call, turn, workspace } = harness;
      const baseUrl = `http://127.0.0.1:1${"/".repeat(1_000_000)}x`;
      const input = { provider: "openai-compatible", model: "slashes", baseUrl };
      const made = await call("POST", "/model-configurations", input);
      if (made.status === 400) return;
      const { id } = await json(made, 201);
      assert.equal(
        (await turn(await workspace(undefined, { defaultModelId: id }))).terminal,
        "chat.error",
      );
    },
  ],
  [
    "7. a query of a million combining marks is answered",
    async () => {
      const { call, workspace, folder, searchBeside } = harness;
      const path = `/workspaces/${await workspace(folder.at("linked"))}/rag/search`;
      const query = `a${"\u0301\u0323".repeat(500_000)}`;
      const answers = Promise.all(
        ["keyword", "hybrid"].map((mode) => call("POST", path, { query, mode })),
      );
      await searchBeside();
      for (const { status } of await answers)
        assert.ok(status === 200 || status === 400, `${status}`);
    },
  ],
  [
    "8. an authConfigJson of 12 MB is refused by name",
    async () => {
      const authConfigJson = JSON.stringify({ token: '"'.repeat(3 * MIB) });
      const input = {
        name: "t",
        endpoint: "http://127.0.0.1:1",
        transport: "http",
        authType: "api_key",
        authConfigJson,
      };
      const answer = await json(await harness.call("POST", "/tool-registry", input), 400);
      assert.match(JSON.stringify(answer), /authConfigJson/);
    },
  ],
  [
    "10. a root above the data directory does not index the token",
    () => assertTokenNotIndexed("home"),
  ],
  [
    "10. a root with a hard link to the runtime file does not index the token",
    () => assertTokenNotIndexed("linked"),
  ],
  [
    "11. a walk gives no names from behind a link",
    async () => {
      const { call, folder, search, workspace } = harness;
      const uuid = await workspace(folder.at("walked"));
      await using _ = await startSwapping("folder", folder.at("walked", "d"), folder.at("outside"));
      for (const _run of rounds("walks", { once: 4, long: 20 })) {
        await json(await call("POST", `/workspaces/${uuid}/rag/index`));
        assert.deepEqual(await search(uuid, "id_rsa_outside"), []);
      }
    },
  ],
  [
    "12. frames of clients without the token are not kept in memory",
    async () => {
      const { pid, port } = harness.engine.runtime;
      const before = residentBytes(pid);
      const sockets = Array.from({ length: 20 }, () => {
        // A mask of zeros spares this process the masking of 300 MiB.
        const generateMask = (mask: Buffer) => void mask.fill(0);
        const headers = { Authorization: "Bearer wrong" };
        const socket = openSocket(port, { headers, generateMask });
        socket.raw.on("open", () => socket.raw.send(Buffer.alloc(15 * MIB), { fin: false }));
        return socket;
      });
      for (const { closed } of sockets) await closed;
      assert.ok(residentBytes(pid) - before < 200 * MIB);
    },
  ],
];

describe("An attacker who knows how the engine once failed", () => {
  for (const [name, run] of ATTACKS) {
    it(name, async () => {
      await run();
      await harness.searchBeside();
      assert.equal((await harness.call("GET", "/health")).status, 200);
    });
  }
});

describe("A data directory that was damaged", () => {
  const DAMAGE: readonly [
    name: string,
    file: string,
    damage: (path: string) => void,
    advice: RegExp,
  ][] = [
    ["an empty database", "engine.db", (path) => truncateSync(path, 0), /engine\.db/],
    ["a cut database", "engine.db", (path) => truncateSync(path, 100), /engine\.db/],
    [
      "a database of other bytes",
      "engine.db",
      (path) => writeFileSync(path, "x".repeat(8_192)),
      /engine\.db/,
    ],
    [
      "a lock of other bytes",
      "lock.db",
      (path) => writeFileSync(path, "x".repeat(8_192)),
      /lock\.db/,
    ],
  ];
  it("9. refuses the start in one sentence with the file, and without a stack", async () => {
    await using folder = await createTestFolder();
    await leaveData(folder.at("whole"));
    for (const [name, file, damage, advice] of DAMAGE) {
      const dataDirectory = folder.at(name);
      cpSync(folder.at("whole"), dataDirectory, { recursive: true });
      damage(join(dataDirectory, file));
      const { code, stderr } = await runEngineProcess({ dataDirectory });
      assert.equal(code, 1, `${name}: the engine runs`);
      assert.match(stderr, advice, name);
      assert.doesNotMatch(stderr, /^\s+at /m, name);
    }
  });
});

/** The data directory of an engine with a model and its credential, which was stopped. */
async function leaveData(dataDirectory: string): Promise<void> {
  await using engine = await startEngineProcess({ dataDirectory });
  const input = { provider: "openai-compatible", model: "m", apiKey: "key" };
  const baseUrl = "http://127.0.0.1:1";
  await json(await engine.call("POST", "/model-configurations", { ...input, baseUrl }), 201);
  await engine.end("SIGTERM");
}
