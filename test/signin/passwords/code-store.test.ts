import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { createDatabase } from "../../../shared/database.ts";
import { migrate } from "../../../shared/migrate.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import { EMAIL_CODE_ATTEMPTS_MAX, EMAIL_CODE_LIFETIME_SEC } from "../../../signin/limits.ts";
import {
  type CodeKey,
  consumeCode,
  countAttempt,
  insertCode,
} from "../../../signin/passwords/code-store.ts";

/** What may happen to the codes of two addresses and two purposes. */
type Step =
  | { do: "mail"; key: CodeKey }
  | { do: "try"; key: CodeKey }
  | { do: "consume"; back: number }
  | { do: "wait"; seconds: number };

const keys = fc.record({
  purpose: fc.constantFrom("signup" as const, "reset" as const),
  emailNorm: fc.constantFrom("a@x.test", "b@x.test"),
});
const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constant("mail" as const), key: keys }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant("try" as const), key: keys }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("consume" as const), back: fc.nat({ max: 5 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("wait" as const),
        seconds: fc.constantFrom(1, 299, EMAIL_CODE_LIFETIME_SEC),
      }),
    },
  ),
  { maxLength: 60 },
);

interface ModelCode {
  key: CodeKey;
  attempts: number;
  expiresAt: number;
  state: "usable" | "superseded" | "consumed";
}

const sameKey = (one: CodeKey, other: CodeKey) =>
  one.purpose === other.purpose && one.emailNorm === other.emailNorm;

async function follow(path: Step[]): Promise<void> {
  const client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  await migrate(client, migrations);
  const db = createDatabase(client);
  const codes: ModelCode[] = [];
  let now = 1_000_000;
  for (const step of path) {
    switch (step.do) {
      case "mail": {
        for (const code of codes) {
          if (sameKey(code.key, step.key) && code.state === "usable") code.state = "superseded";
        }
        const id = String(codes.length);
        const expiresAt = now + EMAIL_CODE_LIFETIME_SEC;
        await insertCode(db, { ...step.key, id, codeHmac: `mac ${id}`, now, expiresAt });
        codes.push({ key: step.key, attempts: 0, expiresAt, state: "usable" });
        break;
      }
      case "try": {
        const at = codes.findIndex(
          ({ key, state, expiresAt, attempts }) =>
            sameKey(key, step.key) &&
            state === "usable" &&
            expiresAt > now &&
            attempts < EMAIL_CODE_ATTEMPTS_MAX,
        );
        const expected = at < 0 ? undefined : { id: String(at), codeHmac: `mac ${at}` };
        const found = codes[at];
        if (found) found.attempts += 1;
        assert.deepEqual(await countAttempt(db, { ...step.key, now }), expected);
        break;
      }
      case "consume": {
        const code = codes[codes.length - 1 - step.back];
        if (!code) break;
        const id = String(codes.length - 1 - step.back);
        assert.equal(await consumeCode(db, { id, now }), code.state === "usable");
        if (code.state === "usable") code.state = "consumed";
        break;
      }
      case "wait":
        now += step.seconds;
    }
  }
  client.close();
}

it("codes follow their states whatever happens in whatever order", async () => {
  await fc.assert(fc.asyncProperty(steps, follow), { numRuns: 60 });
});
