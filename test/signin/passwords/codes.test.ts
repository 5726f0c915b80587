import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { randomBytes } from "../../../shared/random.ts";
import {
  createCode,
  createLongCode,
  isLongCode,
  macOfCode,
  parseCode,
} from "../../../signin/passwords/codes.ts";

const pepper = (fill: number) => (data: Uint8Array) =>
  new Uint8Array(createHmac("sha256", new Uint8Array(32).fill(fill)).update(data).digest());

/** Hands out these numbers as random bytes. */
function scripted(...numbers: number[]) {
  return () => {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, numbers.shift() ?? 0);
    return bytes;
  };
}

describe("mailed codes", () => {
  it("are eight digits, leading zeros and all", () => {
    assert.equal(createCode(scripted(7)), "00000007");
    assert.equal(createCode(scripted(4_199_999_999)), "99999999");
    for (let count = 0; count < 1000; count += 1) assert.match(createCode(randomBytes), /^\d{8}$/);
  });

  it("are all equally likely: numbers beyond the last whole hundred million are drawn again", () => {
    assert.equal(createCode(scripted(4_200_000_000, 4_294_967_295, 12_345_678)), "12345678");
  });

  it("are read in the forms that people and mail programs give them", () => {
    for (const given of [
      "12345678",
      " 1234 5678 ",
      "1234-5678",
      "１２３４５６７８",
      "1234\u00a05678",
    ]) {
      assert.equal(parseCode(given), "12345678", given);
    }
    const long = createLongCode(randomBytes);
    assert.match(long, /^[GHJKMNP-TV-Z][0-9A-HJKMNP-TV-Z]{25}$/);
    assert.ok(isLongCode(long));
    const parts = long.match(/.{1,5}/g)?.join("-") ?? "";
    for (const given of [long, long.toLowerCase(), parts, ` ${parts.toLowerCase()}\n`]) {
      assert.equal(parseCode(given), long, given);
    }
    assert.equal(parseCode(long.replaceAll("0", "o").replaceAll("1", "l")), long);
    for (const bad of [
      "",
      "1234567",
      "123456789",
      "1234567a",
      long.slice(1),
      `${long}0`,
      `U${long.slice(1)}`,
    ]) {
      assert.equal(parseCode(bad), undefined, bad);
    }
  });

  it("are stored so that purpose, address, code and key all count", async () => {
    const key = { purpose: "signup", subject: "a@x.test", code: "12345678" } as const;
    const [one, two] = [pepper(1), pepper(2)];
    const macs = await Promise.all([
      macOfCode(one, key),
      macOfCode(two, key),
      macOfCode(one, { ...key, purpose: "reset" }),
      macOfCode(one, { ...key, subject: "b@x.test" }),
      macOfCode(one, { ...key, code: "12345679" }),
    ]);
    assert.equal(new Set(macs).size, macs.length);
    assert.equal(await macOfCode(one, key), macs[0]);
  });
});
