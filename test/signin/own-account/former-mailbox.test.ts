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
});
