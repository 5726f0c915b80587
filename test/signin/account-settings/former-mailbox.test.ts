// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { it } from "node:test";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { createDatabase, type Database } from "../../../shared/database.ts";
import { migrate } from "../../../shared/migrate.ts";
import { type EmbeddedClient, openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import { openHttpDatabase } from "../../../signin/db/open-http.ts";
import { createD1Client } from "../../../signin/workers/d1-client.ts";
import { repeats } from "../../support/repeats.ts";
import { startFaultyLibsqlServer } from "../../support/signin/libsql-server.ts";
import { createSigninWithUsers } from "../../support/signin/users.ts";
import { d1Worker, openD1 } from "../../support/worker.ts";

const FORMER = "ann@example.test";
const NEW = "new@example.test";
const PASSWORD = "a password of a thief";

/** What a code in the former mailbox allows: the request for it, the change, and the statement that decides it. */
const CHANGES: [name: string, ask: string, complete: string, decides: RegExp][] = [
  ["a reset", "/auth/password/reset/code", "/auth/password/reset/complete", /SET password_hash/],
  ["a sign-in", "/auth/login/code", "/auth/login/code/complete", /INSERT INTO sessions/],
  ["a new password", "/auth/password/code", "/auth/password", /SET password_hash/],
];

/** A database of each runtime. */
const DATABASES: [name: string, open: () => Promise<AsyncDisposable & { db: Database }>][] = [
  [
    "the embedded database",
    async () => hold(openEmbeddedClient({ path: ":memory:", pragmas: [] })),
  ],
  [
    "a database far away",
    async () => {
      const server = await startFaultyLibsqlServer({}, repeats({ once: 10, long: 40 }));
      return {
        db: openHttpDatabase(server).db,
        [Symbol.asyncDispose]: server[Symbol.asyncDispose],
      };
    },
  ],
  [
    "D1",
    async () => {
      const options = { workers: [d1Worker("former")], cf: false, telemetry: OFF };
      const miniflare = new Miniflare(convertV4MiniflareOptions(options));
      const binding = openD1(await miniflare.unsafeGetDirectURL("d1"));
      const db = createDatabase(createD1Client(binding));
      return { db, [Symbol.asyncDispose]: () => miniflare.dispose() };
    },
  ],
];
const OFF = { enabled: false };

function hold(client: EmbeddedClient) {
  return {
    db: createDatabase(client),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

for (const [place, open] of DATABASES) {
  it(`what a code of the former mailbox allows, proven before a change of address, does nothing after it on ${place}`, async () => {
    await using opened = await open();
    const { db } = opened;
    await migrate(db.$client, migrations);
    const { batch } = db.$client;
    for (const [at, [name, askPath, completePath, decides]] of CHANGES.entries()) {
      const held = Promise.withResolvers<void>();
      const changed = Promise.withResolvers<void>();
      let isHolding = false;
      db.$client.batch = async (...given) => {
        if (isHolding && decides.test(JSON.stringify(given[0]))) {
          held.resolve();
          await changed.promise;
        }
        return Reflect.apply(batch, db.$client, given);
      };
      const openDb = () => ({ db, close: () => {} });
      await using signin = await createSigninWithUsers({}, { openDb });
      const [former, to] = [`${at}${FORMER}`, `${at}${NEW}`];
      const { access_token: bearer, user } = await signin.signUp(former);
      const asked = [
        await signin.post("/auth/email/code", { email: to }, { bearer }),
        await signin.post(askPath, { email: former }, { bearer }),
      ];
      assert.deepEqual([asked[0]?.status, asked[1]?.status], [200, 200]);
      const code = signin.codeFor(former);
      isHolding = true;
      const body = { email: former, code, password: PASSWORD, new_password: PASSWORD };
      const completed = signin.post(completePath, body, { bearer });
      await Promise.race([held.promise, completed]);
      const moved = { email: to, code: signin.codeFor(to) };
      const done = await signin.post("/auth/email/complete", moved, { bearer });
      changed.resolve();
      const refused = await completed;
      assert.deepEqual(
        [done.status, refused.status, refused.body?.code],
        [204, 400, "invalid_code"],
        name,
      );
      const { rows } = await db.$client.execute({
        sql: "SELECT id FROM sessions WHERE user_id = ?",
        args: [user.id],
      });
      assert.equal(rows.length, 1, "the owner's");
    }
  });
}
