import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { IDToken } from "oauth4webapi";
import { sha256, toBase64Url } from "../../../shared/bytes.ts";
import { accessTokenMatches, findIdTokenFault } from "../../../signin/providers/id-token.ts";

const NOW = 1_800_000_000;
const GOOD: IDToken = { iss: "https://op", sub: "1", aud: "client", iat: NOW, exp: NOW + 300 };
const expected = { clientId: "client", now: NOW };

describe("a validated ID token", () => {
  const good: Record<string, object> = {
    "as it should be": {},
    "an audience that is a list of one": { aud: ["client"] },
    "an azp that is this client": { azp: "client" },
    "an iat a minute ahead": { iat: NOW + 60, exp: NOW + 300 },
    "an iat ten minutes ago": { iat: NOW - 600 },
    "a life of a day": { exp: NOW + 86_400 },
    "an nbf within the tolerance": { nbf: NOW + 60 },
    "an exp within the tolerance": { iat: NOW - 300, exp: NOW - 59 },
    "a subject of 255 characters": { sub: "s".repeat(255) },
  };
  for (const [name, changes] of Object.entries(good)) {
    it(`is good with ${name}`, () =>
      assert.equal(findIdTokenFault({ ...GOOD, ...changes }, expected), undefined));
  }

  const bad: Record<string, [changes: object, fault: RegExp]> = {
    "an empty subject": [{ sub: "" }, /sub/],
    "a blank subject": [{ sub: "  " }, /sub/],
    "a subject that is a number": [{ sub: 1 }, /sub/],
    "a subject of 256 characters": [{ sub: "s".repeat(256) }, /sub/],
    "a second audience": [{ aud: ["client", "other"] }, /aud/],
    "its own audience twice": [{ aud: ["client", "client"] }, /aud/],
    "another audience": [{ aud: "other" }, /aud/],
    "no audience": [{ aud: [] }, /aud/],
    "another azp": [{ azp: "other" }, /azp/],
    "an empty azp": [{ azp: "" }, /azp/],
    "an iat in the future": [{ iat: NOW + 61 }, /iat/],
    "an iat of long ago": [{ iat: NOW - 601 }, /iat/],
    "an iat of a week ago": [{ iat: NOW - 604_800 }, /iat/],
    "a life of more than a day": [{ exp: NOW + 86_401 }, /exp/],
    "an exp years away": [{ exp: NOW + 10 ** 9 }, /exp/],
    "an exp of the past": [{ iat: NOW - 300, exp: NOW - 60 }, /exp/],
    "an nbf in the future": [{ nbf: NOW + 61 }, /nbf/],
  };
  for (const [name, [changes, fault]] of Object.entries(bad)) {
    it(`is refused with ${name}`, () =>
      assert.match(findIdTokenFault({ ...GOOD, ...changes }, expected) ?? "", fault));
  }
});

describe("at_hash", () => {
  it("may be missing, and must be of this access token where it is there", async () => {
    const digest = await sha256("token");
    const half = toBase64Url(digest.subarray(0, 16));
    assert.equal(await accessTokenMatches(GOOD, "token"), true);
    assert.equal(await accessTokenMatches({ ...GOOD, at_hash: half }, "token"), true);
    assert.equal(await accessTokenMatches({ ...GOOD, at_hash: half }, "other"), false);
    assert.equal(await accessTokenMatches({ ...GOOD, at_hash: "" }, "token"), false);
    assert.equal(await accessTokenMatches({ ...GOOD, at_hash: 5 }, "token"), false);
  });
});
