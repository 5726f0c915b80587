import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cli } from "../../support/signin/cli.ts";
import type { SigninHarness } from "../../support/signin/harness.ts";

/** The operator's check of a deployment, against a good one. */
export function smokeTests(harness: () => SigninHarness): void {
  describe("smoke", () => {
    it("passes, starts no session, and says what it found", async () => {
      const w = harness();
      const users = await w.count("users");
      const sessions = await w.count("sessions");
      const { code, json, error } = await cli({}, ["smoke", w.signin.baseUrl, "--json"]);
      assert.equal(code, 0, error + JSON.stringify(json));
      assert.deepEqual([...new Set(json.map(({ ok }) => ok))], [true]);
      const details = new Map(json.map(({ check, detail }) => [check, detail]));
      assert.match(details.get("providers"), /^google at .*, github at /);
      assert.equal(await w.count("users"), users);
      assert.equal(await w.count("sessions"), sessions);
    });
  });
}
