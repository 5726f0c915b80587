import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { migrate } from "../../../shared/migrate.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import { openHttpDatabase } from "../../../signin/db/open-http.ts";
import { repeats } from "../../support/repeats.ts";
import { startFaultyLibsqlServer } from "../../support/signin/libsql-server.ts";
import { createSigninWithUsers } from "../../support/signin/users.ts";

const FORMER = "ann@example.test";
const NEW = "new@example.test";
const PASSWORD = "a password of a thief";

/** What a code in the former mailbox allows: the request for it, the change, and the statement that decides it. */
const CHANGES: [name: string, ask: string, complete: string, decides: RegExp][] = [
  ["a reset", "/auth/password/reset/code", "/auth/password/reset/complete", /SET password_hash/],
  ["a sign-in", "/auth/login/code", "/auth/login/code/complete", /INSERT INTO sessions/],
  ["a new password", "/auth/password/code", "/auth/password", /SET password_hash/],
];

describe("on a database 40 ms away", () => {
  it("a reset by the former mailbox and a change of address that race do not both succeed", async () => {
    await using server = await startFaultyLibsqlServer({}, 40);
    const openDb = () => openHttpDatabase(server);
    const { db } = openDb();
    await migrate(db.$client, migrations);
    for (let round = 0; round < repeats({ once: 2, long: 24 }); round += 1) {
      await using signin = await createSigninWithUsers({}, { openDb });
      const former = `${round}${FORMER}`;
      const { access_token: bearer } = await signin.signUp(former);
      const to = `${round}${NEW}`;
      assert.equal((await signin.post("/auth/email/code", { email: to }, { bearer })).status, 200);
      await signin.post("/auth/password/reset/code", { email: former });
      const [resetCode, code] = [signin.codeFor(former), signin.codeFor(to)];
      const reset = { email: former, code: resetCode, password: "a password of a thief" };
      const answers = await Promise.all([
        signin.post("/auth/password/reset/complete", reset),
        signin.post("/auth/email/complete", { email: to, code }, { bearer }),
      ]);
      const succeeded = answers.filter(({ status }) => status < 300);
      assert.equal(succeeded.length, 1, answers.map(({ status }) => status).join());
    }
  });

  for (const [name, askPath, completePath, decides] of CHANGES) {
    it(`${name} by a code of the former mailbox, proven before the change of address, does nothing after it`, async () => {
      await using server = await startFaultyLibsqlServer({}, 40);
      const held = Promise.withResolvers<void>();
      const changed = Promise.withResolvers<void>();
      let isHolding = false;
      const openDb = () => {
        const open = openHttpDatabase(server);
        const client = open.db.$client;
        const { batch } = client;
        client.batch = async (...given) => {
          if (isHolding && decides.test(JSON.stringify(given[0]))) {
            held.resolve();
            await changed.promise;
          }
          return Reflect.apply(batch, client, given);
        };
        return open;
      };
      await migrate(openDb().db.$client, migrations);
      await using signin = await createSigninWithUsers({}, { openDb });
      const { access_token: bearer } = await signin.signUp(FORMER);
      const asked = [
        await signin.post("/auth/email/code", { email: NEW }, { bearer }),
        await signin.post(askPath, { email: FORMER }, { bearer }),
      ];
      assert.deepEqual([asked[0]?.status, asked[1]?.status], [200, 200]);
      const former = signin.codeFor(FORMER);
      isHolding = true;
      const body = { email: FORMER, code: former, password: PASSWORD, new_password: PASSWORD };
      const completed = signin.post(completePath, body, { bearer });
      await Promise.race([held.promise, completed]);
      const moved = { email: NEW, code: signin.codeFor(NEW) };
      const done = await signin.post("/auth/email/complete", moved, { bearer });
      changed.resolve();
      const refused = await completed;
      assert.deepEqual(
        [done.status, refused.status, refused.body?.code],
        [204, 400, "invalid_code"],
      );
      const { rows } = await openDb().db.$client.execute("SELECT id FROM sessions");
      assert.equal(rows.length, 1, "the owner's");
    });
  }
});
