import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "../house/sources.ts";
import { freePort } from "../support/fake-server.ts";
import { startTool } from "../support/processes.ts";
import { isLongRun } from "../support/repeats.ts";
import { KEYS } from "../support/signin/runtimes.ts";
import { until } from "../support/time.ts";

const INSTALL_MS_MAX = 240_000;

/** The instructions of a Dockerfile. */
async function readInstructions() {
  const text = await readFile(join(ROOT, "signin/deploy/Dockerfile"), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const all = lines.map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? assert.fail(line);
    return { name, rest };
  });
  const valuesOf = (name: string) => all.flatMap((each) => (each.name === name ? each.rest : []));
  return { all, valuesOf };
}

/** There is no container here: the steps of the Dockerfile run in folders that stand for `/app` and `/data`. */
describe("signin/deploy/Dockerfile", () => {
  const isReachable = () =>
    spawnSync("npm", ["ping"], { stdio: "ignore", timeout: 20_000 }).status === 0;
  const skip = isLongRun && !isReachable() && "the registry of npm cannot be reached";

  it("has all that the server needs: its steps give one that is healthy and stops in order", {
    skip,
    timeout: INSTALL_MS_MAX,
  }, async () => {
    const root = await mkdtemp(join(tmpdir(), "roundhouse-container-"));
    const [app, data] = [join(root, "app"), join(root, "data")];
    await mkdir(app);
    await mkdir(data, { mode: 0o700 });
    try {
      const { all, valuesOf } = await readInstructions();
      for (const { name, rest } of all) {
        if (name === "COPY" && !rest.startsWith("--from")) await copy(rest.split(" "), app);
        if (name === "RUN" && rest === "npm ci --omit=dev") await install(rest, app);
      }
      const port = await freePort();
      const variables = valuesOf("ENV").map((entry) => entry.split("="));
      const env = {
        ...Object.fromEntries(variables),
        ...KEYS,
        // What the packages themselves need must be among them, too.
        NODE_PRESERVE_SYMLINKS: isLongRun ? "" : "1",
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        APP_BASE_URL: "https://auth.example.test",
        APP_UI_BASE_URL: "https://app.example.test",
        SIGNIN_HOST: "127.0.0.1",
        SIGNIN_PORT: String(port),
        SIGNIN_DATA_DIR: data,
      };
      const [program = "", ...args] = JSON.parse(valuesOf("CMD")[0] ?? "") as string[];
      await using server = startTool(program, args, env, app);
      // Each look at its health is a process.
      await until("The start", () => {
        if (server.child.exitCode !== null) throw new Error(server.output());
        return server.output().includes("is listening");
      });
      const probe = /CMD (\[.*\])$/.exec(valuesOf("HEALTHCHECK")[0] ?? "")?.[1] ?? "";
      const [check = "", ...options] = (JSON.parse(probe) as string[]).map((text) =>
        text.replace(":8787", `:${port}`),
      );
      await until("The health check", async () => {
        if (server.child.exitCode !== null) throw new Error(server.output());
        const child = spawn(check, options, { env, stdio: "ignore" });
        const [code] = (await once(child, "exit")) as [number | null];
        return code === 0 || undefined;
      });
      server.child.kill(valuesOf("STOPSIGNAL")[0] as NodeJS.Signals);
      const [code] = (await once(server.child, "close")) as [number | null];
      assert.equal(code, 0, server.output());
      assert.match(server.output(), /The sign-in server is stopping/);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("runs in production, without root, keeps its data in a volume, and copies nothing else of the checkout", async () => {
    const { all, valuesOf } = await readInstructions();
    assert.ok(valuesOf("ENV").includes("APP_ENV=production"));
    assert.deepEqual(valuesOf("USER"), ["node"]);
    assert.deepEqual(valuesOf("VOLUME"), ["/data"]);
    assert.ok(
      all.findIndex(({ name }) => name === "USER") < all.findIndex(({ name }) => name === "CMD"),
    );
    assert.ok(valuesOf("RUN").includes("mkdir -m 0700 /data && chown node:node /data"));
    const ignored = await readFile(join(ROOT, "signin/deploy/Dockerfile.dockerignore"), "utf8");
    const [first, ...kept] = ignored.trim().split("\n");
    assert.equal(first, "*");
    const copied = valuesOf("COPY")
      .filter((rest) => !rest.startsWith("--from"))
      .flatMap((rest) => rest.split(" ").slice(0, -1));
    assert.deepEqual(kept.map((line) => line.slice(1)).sort(), [...new Set(copied)].sort());
  });
});

/** An engine of containers that answers what a test wants of it. */
const FAKE_ENGINE = `#!/bin/sh
case "$1 $3 $4" in
  *" id -u") echo "\${FAKE_USER:-1000}" ;;
  "inspect "*) echo "\${FAKE_CODE:-0}" ;;
esac
[ "$1" != "\${FAKE_FAILS:-}" ]
`;

describe(".ci/container", () => {
  const cases: [name: string, env: Record<string, string>, code: number, said: RegExp][] = [
    ["says where it tried nothing", { FAKE_FAILS: "info" }, 0, /so the image was not tried$/],
    ["tries an image that is good", {}, 0, /healthy, not root, and stops in order$/],
    ["refuses an image that is not built", { FAKE_FAILS: "build" }, 1, /^$/],
    ["refuses a server that runs as root", { FAKE_USER: "0" }, 1, /runs as root$/],
    ["refuses a stop out of order", { FAKE_CODE: "137" }, 1, /it ended with 137$/],
  ];
  for (const [name, env, code, said] of cases) {
    it(name, async () => {
      const bin = await mkdtemp(join(tmpdir(), "roundhouse-engine-"));
      for (const engine of ["docker", "podman"]) {
        await writeFile(join(bin, engine), FAKE_ENGINE, { mode: 0o755 });
      }
      const { status, stdout, stderr } = spawnSync(join(ROOT, ".ci/container"), {
        env: { PATH: `${bin}:${process.env.PATH}`, ...env },
        encoding: "utf8",
      });
      await rm(bin, { recursive: true });
      assert.equal(status, code, stdout + stderr);
      assert.match((stdout + stderr).trim(), said);
    });
  }
});

/** `COPY a b ./` of the checkout. */
async function copy(names: string[], app: string): Promise<void> {
  const target = names.at(-1) ?? "";
  for (const name of names.slice(0, -1)) {
    await cp(join(ROOT, name), join(app, target, target.endsWith("/") ? name : ""), {
      recursive: true,
    });
  }
}

/** A long run installs the packages. Else those of the checkout take their place, without the ones for development. */
async function install(command: string, app: string): Promise<void> {
  if (isLongRun) return run(command, app);
  const lock = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(lock.packages)) {
    const isOuter = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path);
    if (!isOuter || dev || !existsSync(join(ROOT, path))) continue;
    await mkdir(dirname(join(app, path)), { recursive: true });
    await symlink(join(ROOT, path), join(app, path), "junction");
  }
}

async function run(command: string, cwd: string): Promise<void> {
  const [program = "", ...args] = command.split(" ");
  const child = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  assert.equal(code, 0, said);
}
