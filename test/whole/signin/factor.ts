import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PASSWORD, type SigninHarness } from "../../support/signin/harness.ts";
import { authenticatorApp, wrongCode } from "../../support/signin/second-factor.ts";
import type { Answer } from "../../support/signin/user-agent.ts";
import { machineTimeSec } from "../../support/time.ts";

const AT_ONCE = 5;
const GUESSES = 15;

/** The second factor on any database: the statements decide, however many requests there are at once. */
export function factorTests(harness: () => SigninHarness): void {
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
  const atOnce = (work: () => Promise<Answer>, count = AT_ONCE) =>
    Promise.all(Array.from({ length: count }, work));

  const openAccount = async () => {
    const w = harness();
    const agent = w.agent();
    const { access_token: bearer, user, email } = await w.signUp(agent);
    const post = (path: string, json?: object) => agent.post(path, json, { bearer });
    const options = await agent.ask("/auth/second-factor/totp/options", { method: "POST", bearer });
    assert.equal(options.status, 200, options.text);
    const app = authenticatorApp(options.json<{ secret: string }>().secret);
    const code = (steps = 0) => app.codeAt((machineTimeSec() + steps * 30) * 1000);
    const enabled = await atOnce(() => post("/auth/second-factor/totp", { code: code() }));
    const answered = enabled.filter(({ status }) => status === 200);
    assert.equal(answered.length, 1, "one of them switches it on");
    const { recovery_codes: codes = [] } = answered[0]?.json<{ recovery_codes: string[] }>() ?? {};
    const update = (set: string) =>
      w.signin.sql(`UPDATE second_factors SET ${set} WHERE user_id = ? RETURNING user_id`, [
        user.id,
      ]);
    return {
      ...{ w, agent, bearer, user, email, post, code, codes },
      // As if some minutes had passed.
      forgetSteps: () => update("last_step = 0"),
      update,
      logIn: (second_factor?: string) =>
        w.agent().post("/auth/login", { email, password: PASSWORD, second_factor }),
      wrong: () => wrongCode(code(-1), code(), code(1), code(2)),
    };
  };

  describe("a second factor", () => {
    it("that several requests switch on at once has ten recovery codes", async () => {
      const { w, user, agent, bearer } = await openAccount();
      assert.equal(await w.count("recovery_codes", "user_id = ?", [user.id]), 10);
      const state = await agent.get("/auth/second-factor", { bearer });
      assert.deepEqual(state.json(), { enabled: true, recovery_codes_left: 10 });
    });

    it("lets one request in by each step and each recovery code, whatever it signs in to or proves", async () => {
      const { w, user, agent, bearer, codes, code, logIn, forgetSteps, email } =
        await openAccount();
      const sessions = () => w.count("sessions", "user_id = ? AND amr LIKE '%mfa'", [user.id]);
      assert.equal((await logIn()).json().code, "second_factor_required");
      assert.equal(await sessions(), 1);
      for (const given of [code, () => codes[0] ?? ""]) {
        await forgetSteps();
        const before = await sessions();
        const second_factor = given();
        const answers = await atOnce(() => logIn(second_factor));
        assert.deepEqual(statuses(answers), [200, 401, 401, 401, 401]);
        assert.equal(await sessions(), before + 1);
      }
      await forgetSteps();
      const second_factor = code();
      const [byProof, byPassword] = await Promise.all([
        agent.post("/auth/reauthenticate", { second_factor }, { bearer }),
        logIn(second_factor),
      ]);
      const won = [byProof, byPassword].filter(({ status }) => status === 200);
      assert.equal(won.length, 1, `${byProof.text} ${byPassword.text}`);

      await forgetSteps();
      await agent.post("/auth/password/reset/code", { email });
      const body = { email, code: await w.mailbox.codeFor(email), password: `${PASSWORD} 2` };
      const refused = await agent.post("/auth/password/reset/complete", body);
      assert.equal(refused.json().code, "second_factor_required");
      const reset = { ...body, second_factor: code() };
      const resets = await atOnce(() => w.agent().post("/auth/password/reset/complete", reset));
      assert.equal(resets.filter(({ status }) => status === 200).length, 1);
    });

    it("judges ten guesses an hour, however many there are at once, and none after a hundred in a row", async () => {
      const { agent, bearer, wrong, code, codes, update } = await openAccount();
      const guess = (second_factor: string) =>
        agent.post("/auth/reauthenticate", { second_factor }, { bearer });
      const answers = await atOnce(() => guess(wrong()), GUESSES);
      const judged = answers.filter(({ status }) => status === 400);
      assert.deepEqual([judged.length, answers.length - judged.length], [10, GUESSES - 10]);
      await update("last_step = 0, codes = 0");
      assert.equal((await guess(code())).status, 200);
      await update("last_step = 0, codes = 0, wrong_in_a_row = 100");
      const locked = await guess(code());
      assert.equal(locked.status, 400);
      assert.match(String(locked.json().details), /recovery code/);
      assert.equal((await guess(codes[0] ?? "")).status, 200);
      assert.equal((await guess(code())).status, 200);
    });

    it("is gone at once where its user switches it off, beside a sign-in", async () => {
      const { w, user, agent, bearer, code, logIn, forgetSteps } = await openAccount();
      await forgetSteps();
      const [removed] = await Promise.all([
        agent.ask("/auth/second-factor/totp", { method: "DELETE", bearer }),
        logIn(code()),
      ]);
      assert.equal(removed.status, 204, removed.text);
      assert.equal(await w.count("recovery_codes", "user_id = ?", [user.id]), 0);
      assert.equal((await logIn()).status, 200);
    });
  });
}
