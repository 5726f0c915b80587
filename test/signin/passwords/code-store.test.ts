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
  joinCode,
  listPendingCodes,
} from "../../../signin/passwords/code-store.ts";

/** What three clients may do to the codes of two addresses and two purposes. */
type Step =
  | { do: "mail" | "join" | "try"; key: CodeKey; asker: string }
  | { do: "consume"; back: number }
  | { do: "wait"; seconds: number };

const keys = fc.record({
  purpose: fc.constantFrom("signup" as const, "reset" as const),
  emailNorm: fc.constantFrom("a@x.test", "b@x.test"),
});
const askers = fc.constantFrom("one", "two", "three");
const steps = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constantFrom("mail" as const, "join" as const, "try" as const, "try" as const),
        key: keys,
        asker: askers,
      }),
    },
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
  id: string;
  key: CodeKey;
  asker: string;
  codeHmac: string;
  attempts: number;
  expiresAt: number;
  isUsable: boolean;
}

const sameKey = (one: CodeKey, other: CodeKey) =>
  one.purpose === other.purpose && one.emailNorm === other.emailNorm;

async function follow(path: Step[]): Promise<void> {
  const client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  await migrate(client, migrations);
  const db = createDatabase(client);
  const codes: ModelCode[] = [];
  let now = 1_000_000;
  const pendingOf = (key: CodeKey) =>
    codes.filter((code) => sameKey(code.key, key) && code.isUsable && code.expiresAt > now);
  for (const step of path) {
    const id = String(codes.length);
    switch (step.do) {
      case "mail": {
        const { key, asker } = step;
        for (const code of codes) {
          if (sameKey(code.key, key) && code.asker === asker) code.isUsable = false;
        }
        const expiresAt = now + EMAIL_CODE_LIFETIME_SEC;
        const codeHmac = `mac ${id}`;
        await insertCode(db, { ...key, id, asker, codeHmac, now, expiresAt });
        codes.push({ id, key, asker, codeHmac, attempts: 0, expiresAt, isUsable: true });
        break;
      }
      case "join": {
        const { key, asker } = step;
        await joinCode(db, { ...key, id, asker, now });
        const pending = pendingOf(key);
        const newest = Math.max(...pending.map(({ expiresAt }) => expiresAt));
        const joined = pending.findLast(({ expiresAt }) => expiresAt === newest);
        if (!joined || pending.some((code) => code.asker === asker)) break;
        codes.push({ ...joined, id, asker, attempts: 0 });
        break;
      }
      case "try": {
        const { key, asker } = step;
        const pending = pendingOf(key);
        const listed = await listPendingCodes(db, { ...key, now });
        assert.deepEqual(
          listed.map((code) => `${code.asker} ${code.codeHmac}`).toSorted(),
          pending.map((code) => `${code.asker} ${code.codeHmac}`).toSorted(),
        );
        const own = pending.find(
          (code) => code.asker === asker && code.attempts < EMAIL_CODE_ATTEMPTS_MAX,
        );
        if (own) own.attempts += 1;
        assert.equal(await countAttempt(db, { ...key, asker, now }), own !== undefined);
        break;
      }
      case "consume": {
        const code = codes[codes.length - 1 - step.back];
        if (!code) break;
        assert.equal(await consumeCode(db, { ...code.key, id: code.id, now }), code.isUsable);
        for (const other of codes) if (sameKey(other.key, code.key)) other.isUsable = false;
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
