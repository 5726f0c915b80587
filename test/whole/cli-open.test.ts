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
import { cli, cliProcess } from "../support/engine/cli.ts";
import {
  readRuntime,
  START,
  sharedEngine,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { machineTimeMs, until } from "../support/time.ts";

const folder = realpathSync(temporaryDirectory());
after(() => rmSync(folder, { recursive: true }));
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
  const running = sharedEngine();

  it("opens the browser of a person, and shows no link", async () => {
    const opened: string[] = [];
    const { code, out, error } = await cli(running.env, ["open"], {
      typed: Readable.from([]),
      showInBrowser: async (url) => opened.push(url) > 0,
    });
    assert.equal(code, 0, error);
    assert.equal(out, "The console opens in your browser.\n");
    assert.match(opened[0] ?? "", LINK);
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
    const { json } = await cliProcess(running.env, ["open", "--json"]);
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
  assert.match(error, /^No engine runs on this data directory\./);
});

it("`open` says that the console is switched off", async () => {
  await using engine = await startEngineProcess({ env: { ENGINE_CONSOLE: "0" } });
  const { code, error } = await cli({ ENGINE_DATA_DIR: engine.dataDirectory }, ["open"]);
  assert.equal(code, 1);
  assert.match(error, /^The console is switched off: .*ENGINE_CONSOLE=0\.\n$/);
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
      const engine = [process.execPath, ...START].map((part) => `'${part}'`).join(" ");
      const child = spawn(SCRIPT, ["-qec", `${engine}; stty -a`, "/dev/null"], {
        env: {
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
      const url = readFileSync(opened, "utf8");
      assert.match(url, LINK);
      assert.equal((await redeem(url)).status, 200);
      assert.ok(!shown.includes(new URL(url).hash));
      stop((keys) => child.stdin.write(keys), readRuntime(data).pid);
      await ended;
      assert.ok(!existsSync(join(data, "runtime.json")), "a clean stop");
      assert.match(shown, /[^-]icanon/);
      assert.match(shown, /[^-]echo\b/);
    });
  }
});
