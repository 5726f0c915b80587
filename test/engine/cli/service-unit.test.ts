import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createServiceUnit } from "../../../engine/cli/service-unit.ts";
import { cli } from "../../support/engine/cli.ts";

const COMMAND = ["/opt/no de/node", "--flag", "/opt/100%/$x/start.mjs"];
const unitOf = (platform: NodeJS.Platform, env: Record<string, string>, command = COMMAND) =>
  createServiceUnit({ machine: { platform, home: "/home/ada" }, command, env, userId: 501 });

describe("the service of the engine", () => {
  it("is a systemd user unit, whose values are quoted", () => {
    const env = { ENGINE_DATA_DIR: '/data/"a" %b', PATH: "/bin", ENGINE_PORT: "" };
    const { path, content, install } = unitOf("linux", env);
    assert.equal(path, "/home/ada/.config/systemd/user/roundhouse.service");
    assert.match(
      content,
      /^ExecStart="\/opt\/no de\/node" "--flag" "\/opt\/100%%\/\$\$x\/start\.mjs"$/m,
    );
    assert.match(content, /^Environment="ENGINE_DATA_DIR=\/data\/\\"a\\" %%b"$/m);
    assert.ok(!content.includes("PATH=") && !content.includes("ENGINE_PORT"));
    assert.deepEqual(install.at(-1), [
      "systemctl",
      "--user",
      "enable",
      "--now",
      "roundhouse.service",
    ]);
  });

  it("is a launchd agent of the user, as XML", () => {
    const { path, content, install } = unitOf("darwin", { ENGINE_LOG_LEVEL: "<debug> & more" });
    assert.equal(path, "/home/ada/Library/LaunchAgents/org.roundhouse.engine.plist");
    assert.match(content, /<string>\/opt\/no de\/node<\/string>/);
    assert.match(content, /<key>ENGINE_LOG_LEVEL<\/key><string>&lt;debug&gt; &amp; more<\/string>/);
    assert.deepEqual(install, [["launchctl", "bootstrap", "gui/501", path]]);
  });

  it("is a Windows task at login", () => {
    const command = ["C:\\node.exe", "C:\\r\\start.mjs"];
    const { content } = unitOf("win32", { ENGINE_DATA_DIR: "D:\\data" }, command);
    assert.match(
      content,
      /set &quot;ENGINE_DATA_DIR=D:\\data&quot;&amp;&amp; &quot;C:\\node\.exe&quot;/,
    );
  });

  const refused: [what: string, make: () => unknown, reason: RegExp][] = [
    ["a line break in a variable", () => unitOf("linux", { ENGINE_HOST: "a\nb" }), /ENGINE_HOST/],
    ["what a task cannot pass on", () => unitOf("win32", {}, ['C:\\"x"']), /cannot pass on/],
    ["an unknown system", () => unitOf("aix", {}), /does not support aix/],
  ];
  for (const [what, make, reason] of refused)
    it(`refuses ${what}`, () => assert.throws(make, reason));

  it("is printed and not installed by --dry-run", async () => {
    const env = { XDG_CONFIG_HOME: "/nowhere/config", ENGINE_DATA_DIR: "/data" };
    const { code, json } = await cli(env, ["service", "install", "--dry-run", "--json"]);
    assert.equal(code, 0);
    assert.match(json[0].content, /start\.mjs/);
    const status = await cli(env, ["service", "status", "--json"]);
    assert.equal(status.code, 1);
    assert.equal(status.json[0].installed, false);
    assert.equal((await cli(env, ["service", "uninstall"])).code, 1);
  });
});
