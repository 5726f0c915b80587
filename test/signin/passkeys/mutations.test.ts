// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { caseDice, type Dice } from "../../support/random.ts";
import { repeats } from "../../support/repeats.ts";
import { ALGORITHM_NAMES } from "../../support/signin/authenticator.ts";
import { createPasskeySignin, device } from "../../support/signin/passkeys.ts";
import { oracleAcceptsRegistration, oracleAcceptsSignIn } from "./webauthn-oracle.ts";

const EACH = repeats({ once: 20, long: 80 });

// Whatever an accepted answer was changed to, @simplewebauthn/server must accept it as well.
describe(`answers with a changed byte, ${EACH} for each algorithm and ceremony`, () => {
  for (const algorithm of ALGORITHM_NAMES) {
    it(`registrations with ${algorithm} are taken where the oracle takes them`, async () => {
      await using signin = await createPasskeySignin();
      let refused = 0;
      for (let at = 0; at < EACH; at += 1) {
        const { bearer } = await signin.openAccount();
        const options = await signin.registrationOptions(bearer);
        const credential = mutate(device(algorithm).create(options), caseDice(1, at));
        const answer = await signin.ask("POST", "/auth/passkeys", { bearer, body: { credential } });
        const isTaken = answer.status === 200;
        if (isTaken)
          assert.equal(await oracleAcceptsRegistration(credential, options.challenge), true);
        else {
          assert.equal(answer.status, 400, JSON.stringify(answer.body));
          refused += 1;
        }
      }
      assert.ok(refused > EACH / 4, `${refused} were refused`);
    });

    it(`sign-ins with ${algorithm} are all refused: every byte of them is signed`, async () => {
      await using signin = await createPasskeySignin();
      const { bearer } = await signin.openAccount();
      const key = device(algorithm);
      await signin.register(bearer, key);
      for (let at = 0; at < EACH; at += 1) {
        const { options, cookie } = await signin.signInOptions();
        const credential = mutate(key.get(options), caseDice(2, at));
        const answer = await signin.finishSignIn(credential, cookie);
        assert.equal(answer.status, 401, JSON.stringify(answer.body));
        const known = await oracleAcceptsSignIn(credential, options.challenge, key);
        // The oracle leaves the account to its caller.
        assert.equal(known && signin.audited.at(-1)?.detail?.reason !== "user_handle", false);
      }
    });
  }
});

/** Changes, removes or doubles one byte of one binary field. */
function mutate<Json extends { response: Record<string, unknown> }>(
  credential: Json,
  random: Dice,
): Json {
  const names = Object.keys(credential.response).filter((name) => name !== "transports");
  const name = names[random(names.length)] ?? "";
  const bytes = Buffer.from(String(credential.response[name]), "base64url");
  const at = random(bytes.length);
  const head = bytes.subarray(0, at);
  const byte = bytes[at] ?? 0;
  const middle = [Buffer.of(byte ^ (1 << random(8))), Buffer.alloc(0), Buffer.of(byte, byte)];
  const changed = Buffer.concat([head, middle[random(3)] ?? head, bytes.subarray(at + 1)]);
  const response = { ...credential.response, [name]: changed.toString("base64url") };
  return { ...credential, response };
}
