import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SigninHarness } from "../../support/signin/harness.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { assertRefused } from "../../support/signin/user-agent.ts";
import { until } from "../../support/time.ts";

/** The canaries of the whole suite: runs last. */
export function leakTests(harness: () => SigninHarness, runtime: SigninRuntime): void {
  describe("nothing secret gets out", () => {
    it("no log line holds a key, a token, a code, a state, a password or an API key of this run", () => {
      const { secrets, signin } = harness();
      const output = withoutIds(signin.output());
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

    it("the log tells what happened, by ids and networks, and at `debug` each request, never an address", async () => {
      await using w = await SigninHarness.open(runtime, { SIGNIN_LOG_LEVEL: "debug" });
      const agent = w.agent();
      const { email, user, refresh_token } = await w.signUp(agent);
      const wrong = { email, password: "a wrong password" };
      for (let attempt = 0; attempt < 8; attempt += 1) await agent.post("/auth/login", wrong);
      await w.openBrowserSession(agent);
      for (let turn = 0; turn < 2; turn += 1) await w.refresh(refresh_token);
      await w.signin.sql("UPDATE sessions SET rotated_at = rotated_at - 61");
      assertRefused(await w.refresh(refresh_token), 401, "refresh_reused");
      w.mailbox.refuses = true;
      await w.agent().post("/auth/signup/code", { email: `other-${email}` });
      const events = await linesWith(w, "mail.failed");
      for (const event of [
        "signup.code_sent",
        "mail.sent",
        "signup.completed",
        "login.failure",
        "ratelimit.hit",
        "login.success",
        "session.reuse_detected",
      ]) {
        const line = events.find((each) => each.event === event);
        assert.ok(line, event);
        assert.match(String(line.network), /^10\.\d+\.\d+\.0\/24$/);
        assert.match(String(line.request_id), /^[0-9a-f-]{36}$/);
        assert.equal(line.level, "info");
      }
      const refusals = events.filter(({ event }) => event === "ratelimit.hit");
      assert.equal(refusals.length, 3, "one line for each refusal");
      assert.ok(events.some(({ user_id }) => user_id === user.id));
      const limited = events.find(({ route, status }) => route === "/auth/login" && status === 429);
      assert.equal(limited?.level, "debug");
      const output = withoutIds(w.signin.output());
      for (const private_ of [...w.secrets, email, email.split("@")[0] ?? "", agent.address]) {
        assert.equal(output.includes(private_), false, private_.slice(0, 12));
      }
    });

    it("no row holds a token, a code, a state, a password or an API key in the clear", async () => {
      const { secrets, signin } = harness();
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
      const rows = await harness().signin.sql(
        "SELECT DISTINCT ip_prefix FROM audit_events UNION SELECT DISTINCT ip_prefix FROM sessions",
      );
      for (const { ip_prefix: prefix } of rows) {
        if (prefix !== null) assert.match(String(prefix), /\.0\/24$|::\/48$/);
      }
    });
  });
}

type Line = Record<string, unknown>;

/** The lines of the log, once one of them tells this event: it is written after the answer. */
function linesWith({ signin }: SigninHarness, event: string): Promise<Line[]> {
  return until(`The event ${event}`, () => {
    const lines = signin.output().split("\n").flatMap(toLine);
    return lines.some((line) => line.event === event) ? lines : undefined;
  });
}

/** None where the text is no line of the log, or a piece of the one that is being written. */
function toLine(text: string): Line[] {
  try {
    return text.startsWith("{") ? [JSON.parse(text)] : [];
  } catch {
    return [];
  }
}

/** A text without the ids of requests, users and sessions: now and then one of them has the digits of a code by chance. */
function withoutIds(text: string): string {
  const ids = /"session_id":"[\w-]{22}"|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
  return text.replaceAll(ids, "[id]");
}
