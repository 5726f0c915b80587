import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isLongRun, repeats, showProgress } from "../support/repeats.ts";
import { startMailbox } from "../support/signin/mail.ts";
import { nodeRuntime } from "../support/signin/runtimes.ts";
import { until } from "../support/time.ts";

const COUNT = repeats({ once: 5, long: 200 });
const PROBES = 4;
/** By chance, 200 times of each kind leave these bounds once in 2,000 runs. */
const AUC_MIN = 0.4;

// biome-ignore lint/plugin: what an attacker measures. Only a long run judges it.
const now = () => performance.now();

/** How likely a value of one list is above one of the other; 0.5 tells nothing. */
function aucOf(ones: readonly number[], others: readonly number[]): number {
  let wins = 0;
  for (const one of ones) {
    for (const other of others) wins += one > other ? 1 : one === other ? 0.5 : 0;
  }
  return wins / ones.length / others.length;
}

describe("the time of the requests after one for a code", () => {
  for (const path of ["/auth/login/code", "/auth/password/reset/code"]) {
    it(`does not tell whether ${path} was of an account`, async () => {
      await using mailbox = await startMailbox(new Set());
      await using signin = await nodeRuntime.boot({
        // Under `test` the work for a code does not wait.
        APP_ENV: "development",
        MAIL_TRANSPORT: "http",
        MAIL_FROM: "Roundhouse <no-reply@example.test>",
        MAIL_HTTP_URL: `${mailbox.url}/send`,
        MAIL_HTTP_TOKEN: mailbox.token,
      });
      const numbers = Array.from({ length: COUNT }, (_, number) => number);
      await signin.sql(
        `INSERT INTO users (id, email, email_norm, created_at, updated_at)
         SELECT 'u' || value, 'user' || value || '@example.test', 'user' || value || '@example.test', 1, 1
         FROM json_each(?)`,
        [JSON.stringify(numbers)],
      );
      let asked = 0;
      const probe = async (email: string) => {
        asked += 1;
        // Each from a network of its own: no limit is reached.
        const from = `2001:${(0x1000 + asked).toString(16)}::1`;
        const headers = { "content-type": "application/json", "x-forwarded-for": from };
        const body = JSON.stringify({ email });
        const answer = await fetch(signin.baseUrl + path, { method: "POST", headers, body });
        assert.equal(answer.status, 200, await answer.text());
        const times: number[] = [];
        for (let at = 0; at < PROBES; at += 1) {
          const start = now();
          await (await fetch(`${signin.baseUrl}/health`)).text();
          times.push(now() - start);
        }
        return times;
      };
      const known: number[][] = [];
      const unknown: number[][] = [];
      for (const number of numbers) {
        const turns = [
          async () => known.push(await probe(`user${number}@example.test`)),
          async () => unknown.push(await probe(`stranger${number}@example.test`)),
        ];
        for (const turn of number % 2 === 0 ? turns : turns.reverse()) await turn();
        showProgress(path, number + 1, COUNT);
      }
      await until("The mails", () => mailbox.mails.length >= COUNT);
      assert.deepEqual(
        mailbox.mails.map(({ to }) => String(to)).sort(),
        numbers.map((number) => `user${number}@example.test`).sort(),
      );
      if (!isLongRun) return;
      for (let at = 0; at < PROBES; at += 1) {
        const auc = aucOf(
          known.map((times) => times[at] ?? 0),
          unknown.map((times) => times[at] ?? 0),
        );
        console.log(`${path}, request ${at + 1}: AUC ${auc.toFixed(3)}`);
        assert.ok(auc > AUC_MIN && auc < 1 - AUC_MIN, `request ${at + 1}: ${auc}`);
      }
    });
  }
});
