import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SigninWorld } from "../../support/signin-world.ts";

/** The canaries of the whole suite: runs last. */
export function leakTests(world: () => SigninWorld): void {
  describe("nothing secret gets out", () => {
    it("no log line holds a key, a token, a code, a state, a password or an API key of this run", () => {
      const { secrets, signin } = world();
      const output = signin.output();
      assert.equal(secrets.size > 100, true, `${secrets.size} canaries`);
      const leaked = [...secrets].filter((secret) => output.includes(secret));
      assert.deepEqual(
        leaked.map((secret) => secret.slice(0, 12)),
        [],
      );
      assert.doesNotMatch(
        output,
        /eyJ[A-Za-z0-9_-]{10,}\.|\brt1\.[A-Za-z0-9_-]{20}|gho_|adversarial-access-/,
      );
    });

    it("no row holds a token, a code, a state, a password or an API key in the clear", async () => {
      const { secrets, signin } = world();
      const tables = await signin.sql("SELECT name FROM sqlite_master WHERE type = 'table'");
      for (const { name } of tables) {
        const rows = JSON.stringify(await signin.sql(`SELECT * FROM "${name}"`));
        const leaked = [...secrets].filter((secret) => secret.length > 8 && rows.includes(secret));
        assert.deepEqual(
          leaked.map((secret) => secret.slice(0, 12)),
          [],
          String(name),
        );
      }
    });

    it("the audit trail keeps no whole address", async () => {
      const rows = await world().signin.sql(
        "SELECT DISTINCT ip_prefix FROM audit_events UNION SELECT DISTINCT ip_prefix FROM sessions",
      );
      for (const { ip_prefix: prefix } of rows) {
        if (prefix !== null) assert.match(String(prefix), /\.0\/24$|::\/48$/);
      }
    });
  });
}
