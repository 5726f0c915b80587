import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProgram } from "../../../signin/cli/program.ts";
import { cli, noTerminal, openEmbeddedFolder } from "../../support/signin/cli.ts";

describe("a wrong command", () => {
  for (const args of [
    ["nonsense"],
    ["keys"],
    ["keys", "nonsense"],
    ["users", "list", "--limit", "0"],
    ["users", "list", "--limit", "1001"],
    ["users", "list", "--limit", "ten"],
    ["audit", "list", "--limit", "1001"],
    ["audit", "export", "--after", "-1"],
    ["users", "show"],
    ["invite"],
    ["invite", "ann@example.test", "--days", "0"],
    ["invite", "ann@example.test", "--days", "366"],
    ["invite", "ann@example.test", "--language", "sv"],
    ["backup"],
    ["smoke"],
    ["smoke", "auth.example.com"],
    ["setup"],
    ["setup", "workers", "--domain"],
    ["migrate", "--d1"],
    ["--nonsense"],
  ]) {
    it(`is refused: ${args.join(" ")}`, async () => {
      const { code, error, out } = await cli({}, args);
      assert.equal(code, 1);
      assert.notEqual(error + out, "");
    });
  }

  it("is refused in the same words by all that list rows", async () => {
    for (const command of ["users", "audit"]) {
      for (const limit of ["0", "1001", "-1", "1.5", "1e2", ""]) {
        const { error } = await cli({}, [command, "list", "--limit", limit]);
        assert.match(error, /must be a whole number from 1 to 1000\./, `${command} ${limit}`);
      }
    }
  });

  it("is refused where the key is none, and the value is not shown", async () => {
    await using database = await openEmbeddedFolder();
    await cli(database.env, ["migrate"]);
    const env = { ...database.env, TOKEN_ENCRYPTION_KEY: "not-a-key-canary" };
    const { code, error } = await cli(env, ["keys", "check"]);
    assert.equal(code, 1);
    assert.match(error, /^TOKEN_ENCRYPTION_KEY/);
    assert.ok(!error.includes("canary"));
  });
});

it("all commands that work on a database take --d1, but for `backup`", () => {
  const program = createProgram({
    ...{ env: {}, write: () => {}, writeError: () => {}, terminal: noTerminal, fetch },
    ...{ signal: new AbortController().signal, folder: process.cwd() },
  });
  const takesNone = program.commands
    .flatMap((command) => (command.commands.length > 0 ? command.commands : [command]))
    .filter(({ options }) => !options.some(({ long }) => long === "--d1"))
    .map((command) => command.name());
  // The last three work on no database.
  assert.deepEqual(takesNone, ["backup", "test", "workers", "smoke"]);
});

describe("help", () => {
  for (const args of [
    [],
    ["migrate"],
    ["backup"],
    ["cleanup"],
    ["keys"],
    ["keys", "check"],
    ["keys", "re-encrypt"],
    ["users"],
    ["users", "list"],
    ["users", "show"],
    ["users", "disable"],
    ["users", "enable"],
    ["users", "set-email"],
    ["users", "delete"],
    ["invite"],
    ["sessions"],
    ["sessions", "list"],
    ["sessions", "revoke"],
    ["doctor"],
    ["setup"],
    ["setup", "workers"],
    ["smoke"],
  ]) {
    it(`is there for \`${args.join(" ")}\``, async () => {
      const { code, out } = await cli({}, [...args, "--help"]);
      assert.equal(code, 0);
      assert.match(out, /^Usage: npm run signin -- /);
    });
  }
});
