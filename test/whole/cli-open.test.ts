import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, describe, it } from "node:test";
import { showInBrowser } from "../../engine/cli/show-in-browser.ts";
import { cli, cliProcess } from "../support/engine/cli.ts";
import {
  readRuntime,
  START,
  sharedEngine,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { MACHINE } from "../support/processes.ts";
import { machineTimeMs, until } from "../support/time.ts";

const folder = realpathSync(temporaryDirectory());
after(() => rmSync(folder, { recursive: true }));
const running = sharedEngine();
const SCRIPT = "/usr/bin/script";
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/console\/#[\w-]{43}$/;

/** Exchanges a link as the page does. */
async function redeem(url: string): Promise<Response> {
  const { origin, hash } = new URL(url);
  return fetch(`${origin}/console/session`, {
    method: "POST",
    headers: { origin },
    body: JSON.stringify({ link: hash.slice(1) }),
  });
}

describe("`open` with an engine", () => {
  it("opens the browser of a person, and prints the link in any case", async () => {
    const opened: string[] = [];
    const { code, out, error } = await cli(running.env, ["open"], {
      typed: Readable.from([]),
      showInBrowser: async (url) => opened.push(url) > 0,
    });
    assert.equal(code, 0, error);
    assert.match(error, /^The console opens in your browser\. If it does not, /);
    assert.match(opened[0] ?? "", LINK);
    assert.equal(out, `${opened[0]}\n`);
    const answer = await redeem(opened[0] ?? "");
    assert.deepEqual(await answer.json(), { token: running.engine.runtime.token, expiresAt: null });
  });

  it("prints the link where no browser opens, and under --print", async () => {
    const typed = () => Readable.from([]);
    const none = await cli(running.env, ["open"], {
      typed: typed(),
      showInBrowser: async () => false,
    });
    assert.match(none.error, /^No browser could be opened\./);
    const showInBrowser = () => assert.fail("no browser is opened");
    const printed = await cli(running.env, ["open", "--print"], { typed: typed(), showInBrowser });
    for (const { code, out } of [none, printed]) {
      assert.equal(code, 0);
      assert.match(out.trim(), LINK);
    }
  });

  it("prints the link without a terminal, as text and as JSON", async () => {
    const { out } = await cliProcess(running.env, ["open"]);
    assert.match(out.trim(), LINK);
    const { json } = await cli(running.env, ["open", "--json"]);
    assert.deepEqual(Object.keys(json[0]), ["url", "expiresAt"]);
    assert.match(json[0].url, LINK);
    assert.ok(Date.parse(json[0].expiresAt) > machineTimeMs());
  });

  it("leaves the link and the token out of every log", async () => {
    const { json } = await cli(running.env, ["open", "--json"]);
    const link = new URL(json[0].url).hash.slice(1);
    await redeem(json[0].url);
    await redeem(json[0].url);
    const logs = join(running.engine.dataDirectory, "logs");
    const texts = readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8"));
    for (const text of [...texts, running.engine.stderr()]) {
      assert.ok(!text.includes(link));
      assert.ok(!text.includes(running.engine.runtime.token));
    }
  });
});

it("`open` without an engine ends with 1 and says so", async () => {
  const { code, error } = await cli({ ENGINE_DATA_DIR: join(folder, "none") }, ["open"]);
  assert.equal(code, 1);
  assert.match(error, /^The engine is not running on this data directory\./);
});

it("`open` says that the console is switched off", async () => {
  await using engine = await startEngineProcess({ env: { ENGINE_CONSOLE: "0" } });
  const { code, error } = await cli({ ENGINE_DATA_DIR: engine.dataDirectory }, ["open"]);
  assert.equal(code, 1);
  assert.match(error, /^The console is off because .*ENGINE_CONSOLE=0\.\n$/);
});

it("a program that opens addresses gets none in its arguments on macOS", async () => {
  const bin = join(folder, "macos");
  mkdirSync(bin);
  const [args, input] = [join(bin, "args"), join(bin, "input")];
  const program = `#!/bin/sh\nprintf '%s' "$*" > '${args}'\ncat > '${input}'\n`;
  writeFileSync(join(bin, "osascript"), program, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  try {
    assert.equal(await showInBrowser('http://127.0.0.1:1/console/#a"b', "darwin"), true);
  } finally {
    process.env.PATH = PATH;
  }
  await until("The opener", () => existsSync(input) && readFileSync(input, "utf8").endsWith("\n"));
  assert.equal(readFileSync(args, "utf8"), "-");
  assert.equal(readFileSync(input, "utf8"), 'open location "http://127.0.0.1:1/console/#a\\"b"\n');
});

describe("`open` where the opener runs as long as the browser", {
  skip: existsSync(SCRIPT) ? false : "there is no `script` here",
}, () => {
  it("ends with 0, and without a warning", async () => {
    const bin = join(folder, "endless");
    mkdirSync(bin);
    const pid = join(bin, "pid");
    const program = `#!/bin/sh\necho $$ > '${pid}'\nexec sleep 600\n`;
    writeFileSync(join(bin, "xdg-open"), program, { mode: 0o755 });
    const open = [process.execPath, ...START, "open"].map((part) => `'${part}'`).join(" ");
    const child = spawn(SCRIPT, ["-qec", open, "/dev/null"], {
      env: { ...MACHINE, ...running.env, PATH: `${bin}:${process.env.PATH}`, HOME: folder },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
    });
    const [code] = await once(child, "close");
    const opener = await until("The opener", () => existsSync(pid) && readFileSync(pid, "utf8"));
    process.kill(Number(opener), "SIGKILL");
    assert.equal(code, 0, shown);
    assert.ok(!shown.includes("Warning"), shown);
    assert.match(shown.trim().split(/\s+/).at(-1) ?? "", LINK);
  });
});

describe("a link that another account read", {
  skip:
    process.platform === "linux" && process.getuid?.() === 0
      ? false
      : "only root can run a program of another account",
}, () => {
  for (const uid of [65_534, 12_345]) {
    it(`does not open the console for uid ${uid}, and still opens it for the own account`, async () => {
      const { json } = await cli(running.env, ["open", "--json"]);
      const { origin, hash } = new URL(json[0].url);
      // A request as the page sends it. `-e` reads no file, so the account needs no right to any.
      const request = `fetch("${origin}/console/session", {
        method: "POST",
        headers: { origin: "${origin}" },
        body: ${JSON.stringify(JSON.stringify({ link: hash.slice(1) }))},
      }).then(async (response) => console.log(response.status, (await response.json()).error))`;
      const child = spawn(process.execPath, ["-e", request], {
        uid,
        gid: uid,
        cwd: "/",
        env: {},
        stdio: ["ignore", "pipe", "inherit"],
      });
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
      await once(child, "close");
      assert.equal(said, "403 Only the account that the engine runs in can open the console.\n");
      assert.equal((await redeem(json[0].url)).status, 200);
    });
  }
});

describe("a start on a terminal", {
  skip: existsSync(SCRIPT) ? false : "there is no `script` here",
}, () => {
  const bin = join(folder, "bin");
  const opened = join(folder, "opened");
  before(() => {
    mkdirSync(bin);
    // In the place of the system's browser.
    writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, {
      mode: 0o755,
    });
  });

  type Stop = (type: (keys: string) => void, pid: number) => void;
  const stops: [name: string, stop: Stop][] = [
    ["q", (type) => type("q")],
    ["Ctrl-C", (type) => type("\u0003")],
    ["SIGTERM", (_, pid) => process.kill(pid, "SIGTERM")],
  ];
  for (const [name, stop] of stops) {
    it(`opens the console at o, ends in order at ${name}, and gives the terminal back`, async () => {
      const data = join(folder, name);
      rmSync(opened, { force: true });
      const engine = [process.execPath, ...START].map((part) => `'${part}'`).join(" ");
      const child = spawn(SCRIPT, ["-qec", `${engine}; stty -a`, "/dev/null"], {
        env: {
          ...MACHINE,
          PATH: `${bin}:${process.env.PATH}`,
          HOME: folder,
          ENGINE_DATA_DIR: data,
          ENGINE_PORT: "0",
          ENGINE_CREDENTIAL_STORE: "file",
        },
        stdio: ["pipe", "pipe", "ignore"],
      });
      const ended = once(child, "close");
      let shown = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        shown += text;
      });
      await until("The welcome", () => /Models {3}.*\r?\n/.test(shown) || undefined);
      assert.match(shown, /Press o to open the console/);
      child.stdin.write("o");
      await until("The browser", () => shown.includes("opens in your browser") || undefined);
      // The engine waits for what opens a browser no longer than it must.
      const url = await until("The address", () => {
        const text = existsSync(opened) ? readFileSync(opened, "utf8") : "";
        return LINK.test(text) && text;
      });
      assert.equal((await redeem(url)).status, 200);
      await until("The link, which is printed in any case", () => shown.includes(url));
      stop((keys) => child.stdin.write(keys), readRuntime(data).pid);
      await ended;
      assert.ok(!existsSync(join(data, "runtime.json")), "a clean stop");
      assert.match(shown, /[^-]icanon/);
      assert.match(shown, /[^-]echo\b/);
    });
  }
});
