// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TEXTS } from "../../../signin/texts/texts.ts";
import { createSigninWithUsers, PASSWORD } from "../../support/signin/users.ts";

const OLD = "ann@example.test";
const NEW = "Ann.New@example.test";
const TAKEN = "bob@example.test";

async function withAccount() {
  const signin = await createSigninWithUsers();
  const { access_token: bearer } = await signin.signUp(OLD);
  const bob = (await signin.signUp(TAKEN)).access_token;
  signin.mails.length = 0;
  const ask = (email: string, by = bearer) =>
    signin.post("/auth/email/code", { email }, { bearer: by });
  const complete = (code: string, email = NEW, by = bearer) =>
    signin.post("/auth/email/complete", { email, code }, { bearer: by });
  return Object.assign(signin, { bearer, bob, ask, complete });
}

describe("another address of an account", () => {
  it("is proved with a code that goes there; both mailboxes get a mail, the former one without the new address", async () => {
    await using signin = await withAccount();
    assert.equal((await signin.ask(NEW)).status, 200);
    assert.deepEqual(signin.mails.map(({ to }) => to).sort(), [NEW, OLD]);
    const warned = signin.mails.find(({ to }) => to === OLD);
    assert.equal(warned?.subject, "Someone asked to change your account's address");
    assert.doesNotMatch(`${warned?.text}${warned?.html}`, /ann\.new|\d{8}/i);
    const code = signin.codeFor(NEW);
    signin.mails.length = 0;
    const { status, body } = await signin.complete(code);
    assert.deepEqual([status, body], [204, undefined]);
    assert.equal((await signin.get("/auth/me", signin.bearer)).body.email, NEW);
    assert.deepEqual(signin.mails.map(({ to }) => to).sort(), [NEW, OLD]);
    const former = signin.mails.find(({ to }) => to === OLD);
    assert.doesNotMatch(`${former?.text}${former?.html}`, /ann\.new/i);
    const logIn = (email: string) => signin.post("/auth/login", { email, password: PASSWORD });
    assert.deepEqual([(await logIn(OLD)).status, (await logIn(NEW)).status], [401, 200]);
    assert.ok(signin.audited.some(({ type }) => type === "email.changed"));
    assert.equal(JSON.stringify(signin.audited).toLowerCase().includes("ann.new"), false);
  });

  it("that is taken gets the same answer, and its owner a mail without a code", async () => {
    await using signin = await withAccount();
    const free = await signin.ask(NEW);
    signin.mails.length = 0;
    const taken = await signin.ask(TAKEN.toUpperCase());
    assert.deepEqual([taken.status, taken.body], [free.status, free.body]);
    const mail = signin.mails.find(({ to }) => to === TAKEN);
    assert.equal(mail?.subject, TEXTS.en.mail.mails.email_taken[0]);
    assert.doesNotMatch(mail?.text ?? "", /\d{8}/);
    const refused = await signin.complete("00000000", TAKEN);
    assert.deepEqual([refused.status, refused.body.code], [400, "invalid_code"]);
  });

  it("that was taken since is 409, and nothing changes", async () => {
    await using signin = await withAccount();
    await signin.ask(NEW);
    const code = signin.codeFor(NEW);
    signin.deps.clock.advance(61_000);
    await signin.signUp(NEW);
    const refused = await signin.complete(code);
    assert.deepEqual([refused.status, refused.body.code], [409, "email_in_use"]);
    assert.equal((await signin.get("/auth/me", signin.bearer)).body.email, OLD);
  });

  it("needs the code of this address, once", async () => {
    await using signin = await withAccount();
    await signin.ask(NEW);
    const code = signin.codeFor(NEW);
    assert.equal((await signin.complete(code, "x@example.test")).body.code, "invalid_code");
    const [one, two] = await Promise.all([signin.complete(code), signin.complete(code)]);
    assert.deepEqual([one.status, two.status].sort(), [204, 400]);
  });

  it("of two accounts that want it at once goes to one", async () => {
    await using signin = await withAccount();
    await signin.ask(NEW);
    const ann = signin.codeFor(NEW);
    const answers = await Promise.all([
      signin.complete(ann),
      signin.complete(ann, NEW, signin.bob),
    ]);
    const [won, lost] = answers.map(({ status }) => status).sort();
    assert.equal(won, 204);
    // The code is used, or the address is taken: whichever the second one meets first.
    assert.ok(lost === 400 || lost === 409, `${lost}`);
  });

  it("leaves the same trail for a taken address and for a free one", async () => {
    await using signin = await withAccount();
    const trailOf = async (email: string) => {
      assert.equal((await signin.ask(email)).status, 200);
      signin.deps.clock.advance(61_000);
      const { body } = await signin.get("/auth/events", signin.bearer);
      const [event] = body.events;
      return { count: body.events.length, type: event.type, outcome: event.outcome };
    };
    const free = await trailOf(NEW);
    const taken = await trailOf("bob@example.test");
    assert.deepEqual(taken, { ...free, count: free.count + 1 });
    assert.equal(free.type, "email.code_sent");
  });

  it("ends codes that went to the former mailbox", async () => {
    await using signin = await withAccount();
    await signin.post("/auth/login/code", { email: OLD });
    const login = signin.codeFor(OLD);
    await signin.post("/auth/me/delete/code", undefined, { bearer: signin.bearer });
    const deletion = signin.codeFor(OLD);
    await signin.ask(NEW);
    assert.equal((await signin.complete(signin.codeFor(NEW))).status, 204);
    const late = await signin.post("/auth/login/code/complete", { email: OLD, code: login });
    assert.equal(late.body.code, "invalid_code");
    const rows = await signin.rows("SELECT id FROM email_codes WHERE consumed_at IS NULL");
    assert.deepEqual(rows, [], deletion);
  });

  it("may be another spelling of the present one; the same one, and none, are refused by the field", async () => {
    await using signin = await withAccount();
    for (const email of [OLD, "ann", ""]) {
      const { status, body } = await signin.ask(email);
      assert.deepEqual([status, body.code], [400, "invalid_request"]);
      assert.match(body.details, /^email: /);
    }
    await signin.ask("Ann@example.test");
    const code = signin.codeFor("Ann@example.test");
    assert.equal((await signin.complete(code, "Ann@example.test")).status, 204);
    assert.equal((await signin.get("/auth/me", signin.bearer)).body.email, "Ann@example.test");
  });
});
