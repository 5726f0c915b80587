// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createVault } from "../../../engine/secrets/vault.ts";
import { randomBytes } from "../../../shared/random.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

const PATH = "/model-configurations";
const MINIMAL = { provider: "openai", model: "m" };

describe("A credential store that cannot be used", () => {
  const operations = [
    ["GET", PATH],
    ["POST", PATH, MINIMAL],
    ["PUT", `${PATH}/x`, MINIMAL],
    ["DELETE", `${PATH}/x`],
    ["POST", `${PATH}/x/test`],
    ["GET", "/models"],
  ] as const;

  async function assertProblem(response: Response) {
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    const problem = await json(response, 503);
    assert.equal(typeof problem.detail, "string");
    assert.deepEqual(problem, {
      type: "about:blank",
      title: "Encrypted credential storage is unavailable.",
      status: 503,
      detail: problem.detail,
    });
  }

  for (const [method, path, body] of operations) {
    it(`is the 503 problem on ${method} ${path}, and nowhere else`, async () => {
      const load = () => Promise.reject(new Error("canary-path"));
      await using test = await createTestEngine({ vault: createVault({ load }) });
      await assertProblem(await test.call(method, path, body));
      await json(await test.call("GET", "/workspaces"));
    });

    it(`is found on ${method} ${path} where the key is not the one that was used`, async () => {
      let key = randomBytes(32);
      await using test = await createTestEngine({ vault: createVault({ load: async () => key }) });
      await json(await test.call("POST", PATH, { ...MINIMAL, apiKey: "canary-key" }), 201);
      key = randomBytes(32);
      const vault = createVault({ load: async () => key });
      await using other = await createTestEngine({ db: test.deps.db, vault });
      await assertProblem(await other.call(method, path, body));
      const { rows } = await test.deps.db.$client.execute("SELECT id FROM model_configurations");
      assert.equal(rows.length, 1, "nothing is deleted");
    });
  }
});
