import assert from "node:assert/strict";
import { randomBytes, scryptSync } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { repeats } from "../../support/repeats.ts";
import {
  type CreateOptions,
  type Encodable,
  SoftAuthenticator,
} from "../../support/signin/authenticator.ts";
import { PASSWORD, type SigninHarness, type Tokens } from "../../support/signin/harness.ts";
import type { Answer, UserAgent } from "../../support/signin/user-agent.ts";
import { until } from "../../support/time.ts";

/** Of `flowPerIp` and `passkeyOptionsPerIp`, a minute. */
const STARTS_MAX = 60;
/** More than wait for a hash on any runtime. They try four accounts, each of which takes 50 failures an hour. */
const CROWD = 100;
const JUNK = 20;
const HOUR_SEC = 3_600;
const DAY_SEC = 24 * HOUR_SEC;

type Purpose = "login" | "reset" | "signup";
const PURPOSES: Purpose[] = ["login", "reset", "signup"];
const PATHS = { login: "/auth/login", reset: "/auth/password/reset", signup: "/auth/signup" };
const COMPLETE = { ...PATHS, login: "/auth/login/code" };
const SUBJECTS = { login: /sign-in|sign in/i, reset: /password/i, signup: /account/i };
const CODE = /\b(?:\d{8}|[0-9A-HJKMNP-TV-Z]{26})\b/;

/** What strangers and thieves try, on any runtime and database, however far it is. */
export function attackTests(harness: () => SigninHarness): void {
  const times = <Result>(count: number, work: (at: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, at) => work(at)));

  const insertUser = async (columns: { password?: string } = {}) => {
    const w = harness();
    const id = `attacked${w.next()}`;
    const email = `${id}@example.test`;
    const password = columns.password ?? "";
    const sql = `INSERT INTO users (id, email, email_norm, password_hash, created_at, updated_at)
      VALUES (?, ?, ?, nullif(?, ''), 1, 1) RETURNING id`;
    await w.signin.sql(sql, [id, email, email, password]);
    return { id, email };
  };

  describe("starts of sign-ins", () => {
    const starts: [name: string, start: (agent: UserAgent) => Promise<Answer>, status: number][] = [
      ["by provider", (agent) => agent.get("/auth/google/login"), 302],
      ["by passkey", (agent) => agent.ask("/auth/passkey/options", { method: "POST" }), 200],
    ];
    for (const [name, start, status] of starts) {
      it(`${name} have the limit of their client, also at once, stop no other network, and write nothing`, async () => {
        const w = harness();
        const agent = w.agent();
        const network = agent.address.replace(/\d+$/, "0/24");
        // Of this client alone: events of others are written after their responses.
        const written = () =>
          Promise.all([
            w.count("used_nonces"),
            w.count("audit_events", "ip_prefix = ?", [network]),
          ]);
        const before = await written();
        const answers = await times(STARTS_MAX + 5, () => start(agent));
        const refused = answers.filter((answer) => answer.status === 429);
        const passed = answers.filter((answer) => answer.status === status);
        const told = answers.map((answer) => `${answer.status} ${answer.text}`).join("\n");
        // Never late, and at most a little early; the exact counts are those of test/signin/rate-limits.
        assert.equal(refused.length + passed.length, answers.length, told);
        assert.ok(passed.length <= STARTS_MAX && passed.length > 0.9 * STARTS_MAX, told);
        assert.ok(Number(refused[0]?.headers.get("retry-after")) <= STARTS_MAX);
        assert.equal((await start(w.agent())).status, status);
        assert.deepEqual(await written(), before);
      });
    }
  });

  describe("a signed-in thief", () => {
    it("registers no weak passkey, and writes nothing into mails with the label of another one", async () => {
      const w = harness();
      const { access_token: bearer, user } = await w.openNativeSession();
      const agent = w.agent();
      const key = new SoftAuthenticator({ origin: w.signin.baseUrl });
      const register = async (label: string, weak?: [number, Encodable][]) => {
        const options = await agent.ask("/auth/passkeys/options", { method: "POST", bearer });
        const mutation = weak ? { cose: () => new Map<number | string, Encodable>(weak) } : {};
        const credential = key.create(options.json<CreateOptions>(), mutation);
        return agent.post("/auth/passkeys", { credential, label }, { bearer });
      };
      const rsa = (modulus: Buffer): [number, Encodable][] => [
        ...([
          [1, 3],
          [3, -257],
          [-1, modulus],
        ] as [number, Encodable][]),
        [-2, Buffer.of(1, 0, 1)],
      ];
      const ed25519 = (point: Buffer): [number, Encodable][] => [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, point],
      ];
      for (const weak of [
        rsa(Buffer.concat([Buffer.alloc(193), Buffer.alloc(64, 0xff)])),
        rsa(Buffer.alloc(64, 0xff)),
        ed25519(Buffer.alloc(32)),
        ed25519(Buffer.alloc(32, 0xff)),
      ]) {
        const refused = await register("Key", weak);
        assert.equal(refused.status, 400, refused.text);
      }
      assert.equal(await w.count("passkeys", "user_id = ?", [user.id]), 0);

      const added = await register("Account locked: confirm at https://evil.example/unlock");
      assert.equal(added.status, 200, added.text);
      const mail = await w.mailbox.until(
        ({ to, subject }) => String(to) === user.email && /passkey was added/.test(subject),
      );
      assert.equal(JSON.stringify(mail).includes("evil.example"), false);
    });

    it("loses the session that an identity began with the identity", async () => {
      const w = harness();
      const agent = w.agent();
      const { access_token: bearer } = await w.openBrowserSession(agent, "google");
      w.newGithubPerson();
      const linking = await agent.get("/auth/github/login?mode=link", { bearer });
      const { url } = linking.json<{ url: string }>();
      assert.equal((await agent.get(await w.consent(url))).status, 302);
      const thief = w.agent();
      assert.equal((await w.signInByBrowser(thief, "github")).status, 302);
      const began = await w.refreshByCookie(thief);
      const path = "/auth/github/disconnect";
      assert.equal((await agent.ask(path, { method: "DELETE", bearer })).status, 204);
      assert.equal((await w.me(began.access_token)).status, 401);
      const headers = { Origin: w.signin.baseUrl };
      const refreshed = await thief.ask("/auth/refresh", { method: "POST", headers });
      assert.equal(refreshed.status, 401, refreshed.text);
      assert.equal((await w.me(bearer)).status, 200);
    });

    it("does not read in the own activity whether an address has an account", async () => {
      const w = harness();
      const { email: taken } = await insertUser();
      const activity = async (email: string) => {
        const { access_token: bearer, user } = await w.openNativeSession();
        const agent = w.agent();
        assert.equal((await agent.post("/auth/email/code", { email }, { bearer })).status, 200);
        await until("The event of the code", async () => {
          const sql = "user_id = ? AND type = 'email.code_sent'";
          return (await w.count("audit_events", sql, [user.id])) > 0;
        });
        const { events } = (await agent.get("/auth/events", { bearer })).json<{
          events: { type: string; outcome: string }[];
        }>();
        return events.map(({ type, outcome }) => `${type} ${outcome}`).sort();
      };
      assert.deepEqual(await activity(taken), await activity(`free${w.next()}@example.test`));
    });
  });

  describe("strangers", () => {
    it("write no row with passkeys that no account has", async () => {
      const w = harness();
      const agent = w.agent();
      const key = new SoftAuthenticator({ origin: w.signin.baseUrl });
      const headers = { "User-Agent": `junk ${w.next()}` };
      const options = await agent.ask("/auth/passkey/options", { method: "POST" });
      const credential = key.get(options.json());
      const ask = { credential, native: true };
      const answers = await times(JUNK, () => w.agent().post("/auth/passkey", ask, { headers }));
      assert.ok(answers.every(({ status }) => status === 400 || status === 401));
      // An event that is recorded comes after them.
      const { email } = await insertUser();
      await w.agent().post("/auth/login/code", { email }, { headers });
      const listTypes = () =>
        w.signin.sql("SELECT type FROM audit_events WHERE ua = ?", [headers["User-Agent"]]);
      const types = await until("The event of the code", async () => {
        const rows = await listTypes();
        return rows.some(({ type }) => type === "login.code_sent") && rows;
      });
      assert.equal(types.length, 1);
    });

    it("in many networks do not keep an owner with a live session out of the hashing queue", async () => {
      const w = harness();
      const slow = hashOf(randomBytes(16).toString("hex"), { log2Cost: 12, parallelism: 3 });
      const targets = await times(4, () => insertUser({ password: slow }));
      const knock = (at: number) =>
        w.agent().post("/auth/login", { email: targets[at % 4]?.email, password: PASSWORD });
      const agent = w.agent();
      const { user } = await w.openBrowserSession(agent);
      const quick = hashOf(PASSWORD, { log2Cost: 10, parallelism: 1 });
      const set = "UPDATE users SET password_hash = ? WHERE id = ? RETURNING id";
      await w.signin.sql(set, [quick, user.id]);
      const waiting = Array.from({ length: CROWD }, (_, at) => knock(at));
      const refused = await Promise.any(
        waiting.map(async (each) => ((await each).status === 429 ? each : Promise.reject())),
      );
      assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
      const more = Array.from({ length: CROWD / 5 }, (_, at) => knock(at));
      const login = { email: user.email, password: PASSWORD };
      const answer = await agent.post("/auth/login", login);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json<Tokens>().user.id, user.id);
      const statuses = (await Promise.all([...waiting, ...more])).map(({ status }) => status);
      assert.deepEqual([...new Set(statuses)].sort(), [401, 429]);
    });

    const step = fc.record({
      networks: fc.integer({ min: 1, max: 25 }),
      does: fc.constantFrom<"ask" | "guess">("ask", "ask", "guess"),
      purposes: fc.subarray<Purpose>(PURPOSES, { minLength: 1 }),
      waitSec: fc.constantFrom(0, 61, 600, HOUR_SEC, 6 * HOUR_SEC, 13 * HOUR_SEC),
      ownerWants: fc.constantFrom<Purpose | undefined>(undefined, "login"),
    });
    const asked = { networks: 3, does: "ask", purposes: PURPOSES, waitSec: 61 } as const;
    const one: Purpose[] = ["login"];
    const guessed = { networks: 25, does: "guess", purposes: one, waitSec: 61 } as const;
    const [quiet, login] = [{ ownerWants: undefined }, { ownerWants: "login" }] as const;
    const example = [
      // As in the report: requests of many networks at once, and the owner an hour later.
      { ...asked, ...quiet, networks: 25 },
      { ...guessed, ...quiet },
      { ...guessed, ...quiet, waitSec: HOUR_SEC },
      { ...asked, ...login, waitSec: 25 * HOUR_SEC },
      // Three mails a minute.
      ...Array.from({ length: 11 }, () => ({ ...asked, ...quiet })),
      { ...asked, ownerWants: "reset" as const, networks: 12 },
    ];

    it("never keep the owner of an address out by mail, cause 30 mails a day at most, and have few guesses", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
          const place = createPlace(harness(), await insertUser());
          for (const { networks, does, purposes, waitSec, ownerWants } of steps) {
            await times(networks, (at) => {
              const purpose = purposes[at % purposes.length] ?? "login";
              return does === "ask" ? place.ask(purpose) : place.enter(purpose, "00000000");
            });
            await place.settle(does === "ask" ? purposes.slice(0, networks) : []);
            if (ownerWants) await place.getIn(ownerWants);
            await place.pass(waitSec);
          }
          const inADay = (all: number[]) =>
            all.map((from) => all.filter((at) => at >= from && at < from + DAY_SEC).length);
          assert.ok(Math.max(0, ...inADay(place.mails)) <= 30, `${inADay(place.mails)} mails`);
          // A day of guesses begins with the first one: two of them touch at most.
          assert.ok(Math.max(0, ...inADay(place.guesses)) <= 40, `${inADay(place.guesses)}`);
        }),
        { examples: [[example]], numRuns: repeats({ once: 1, long: 15 }), endOnFailure: true },
      );
    });
  });
}

/** An address that strangers attack. Its time passes where its rows become older. */
function createPlace(w: SigninHarness, { email }: { email: string }) {
  let passedSec = 0;
  let seen = 0;
  const mails: number[] = [];
  const guesses: number[] = [];
  const listMails = () =>
    w.mailbox.mails.filter(
      ({ to, text }) => String(to) === email && (CODE.test(text) || /already has one/.test(text)),
    );
  const ask = (purpose: Purpose) => w.agent().post(`${PATHS[purpose]}/code`, { email });
  const enter = (purpose: Purpose, code: string) =>
    w.agent().post(`${COMPLETE[purpose]}/complete`, {
      ...{ email, code },
      ...(purpose !== "login" && { password: PASSWORD }),
    });
  /** Until each code has its mail. */
  const arrive = () =>
    until("The mails", async () => {
      return listMails().length >= (await w.count("email_codes", "email_norm = ?", [email]));
    });
  const isLive = `email_norm = ? AND purpose = ? AND consumed_at IS NULL AND superseded_at IS NULL
    AND expires_at > unixepoch() AND (is_long OR attempts < 5)`;
  /** The work for a code goes on after the response. */
  const isMailed = (purpose: Purpose) =>
    until(`A code for ${purpose}`, async () => {
      return (await w.count("email_codes", isLive, [email, purpose])) > 0;
    });
  return {
    ...{ ask, enter },
    /** When strangers caused a mail, and when a wrong guess was compared, in seconds. */
    ...{ mails, guesses },
    async settle(askedFor: Purpose[]) {
      await Promise.all(askedFor.map(isMailed));
      await arrive();
      const { length } = listMails();
      for (; seen < length; seen += 1) mails.push(passedSec);
      const sql = "SELECT sum(attempts) AS n FROM email_codes WHERE email_norm = ?";
      const [row] = await w.signin.sql(sql, [email]);
      while (guesses.length < Number(row?.n)) guesses.push(passedSec);
    },
    /** Asks, and enters the newest code of the purpose, then the newest long one. Five guesses may have ended the former. */
    async getIn(purpose: Purpose): Promise<void> {
      for (let attempt = 0; attempt < 8; attempt += 1) {
        await ask(purpose);
        await isMailed(purpose);
        await arrive();
        const codes = listMails()
          .filter(({ subject }) => SUBJECTS[purpose].test(subject))
          .map(({ text }) => CODE.exec(text)?.[0] ?? "");
        for (const code of [codes.at(-1), codes.findLast((each) => each.length === 26)]) {
          if (!code || (await enter(purpose, code)).status !== 200) continue;
          seen = listMails().length;
          return;
        }
      }
      assert.fail("The owner does not get in.");
    },
    async pass(seconds: number) {
      passedSec += seconds;
      // Not a day past their end: the daily cleanup would delete them.
      const expiresAt = `max(expires_at - ${seconds}, min(expires_at, unixepoch() - 1))`;
      const codes = `UPDATE email_codes SET expires_at = ${expiresAt} WHERE email_norm = ? RETURNING id`;
      await w.signin.sql(codes, [email]);
      await w.signin.sql(`UPDATE rate_limits SET ws = ws - ${seconds} RETURNING k`);
    },
  };
}

function hashOf(password: string, cost: { log2Cost: number; parallelism: number }): string {
  const { log2Cost, parallelism } = cost;
  const salt = randomBytes(16);
  const parameters = { N: 2 ** log2Cost, r: 8, p: parallelism };
  const key = scryptSync(password, salt, 32, parameters).toString("base64url");
  return `$scrypt$ln=${log2Cost},r=8,p=${parallelism}$${salt.toString("base64url")}$${key}`;
}
