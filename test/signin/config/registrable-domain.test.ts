import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parse } from "tldts";
import { readListedDomain } from "../../../signin/config/registrable-domain.ts";
import { buildSuffixModule, listSuffixRules } from "../../../tools/public-suffixes.ts";
import { ROOT } from "../../house/sources.ts";

const FILE = "signin/config/public-suffixes.generated.ts";

function oracle(host: string) {
  const { domain, publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  const isListed = isIcann === true || isPrivate === true;
  return {
    registrable: isListed ? domain : null,
    isPublicSuffix: isListed && publicSuffix === host,
  };
}

describe("the public suffix list", () => {
  it("is what tldts has; `npm run suffixes:generate` writes it", () => {
    assert.equal(readFileSync(join(ROOT, FILE), "utf8"), buildSuffixModule());
  });

  it("answers for one rule in a hundred, and for names below it, as tldts does", () => {
    const { names, exceptions } = listSuffixRules();
    assert.ok(names.length > 8_000, `${names.length}`);
    const sampled = names.filter((_, at) => at % 100 === 0);
    const wildcards = names
      .filter((name) => name.startsWith("*."))
      .filter((_, at) => at % 20 === 0);
    for (const rule of [...sampled, ...wildcards, ...exceptions]) {
      const name = rule.replace("*.", "any.");
      for (const host of [name, `example.${name}`, `a.b.example.${name}`]) {
        assert.deepEqual(readListedDomain(host), oracle(host), host);
      }
    }
  });

  it("leaves addresses, unlisted names and single labels alone", () => {
    for (const host of ["127.0.0.1", "[::1]", "localhost", "a.test", "intranet"]) {
      assert.deepEqual(readListedDomain(host), { registrable: null, isPublicSuffix: false }, host);
    }
  });
});
