import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isLoopbackRedirect, withParameters } from "../../../signin/native/loopback.ts";

const GOOD = [
  "http://127.0.0.1:1",
  "http://127.0.0.1:65535/",
  "http://127.0.0.1:80/explicit-default-port",
  "http://localhost:3000/callback",
  "http://[::1]:8080/a/b.c~d-e_f",
  "http://127.0.0.1:8080/cb?app=1&x=y%20z",
  "http://127.0.0.1:8080?app=1",
  "http://127.0.0.1:8080/%2e%2e/ok",
  "http://localhost:3000/a;b=c,d",
];

const BAD: Record<string, string> = {
  "no port": "http://127.0.0.1/",
  "empty port": "http://127.0.0.1:/",
  "port zero": "http://127.0.0.1:0/",
  "port with leading zero": "http://127.0.0.1:080/",
  "port too high": "http://127.0.0.1:65536/",
  "six digits": "http://127.0.0.1:123456/",
  "negative port": "http://127.0.0.1:-1/",
  "port with sign": "http://127.0.0.1:+80/",
  https: "https://127.0.0.1:3000/",
  "upper-case scheme": "HTTP://127.0.0.1:3000/",
  "custom scheme": "myapp://127.0.0.1:3000/",
  javascript: "javascript://127.0.0.1:3000/%0aalert(1)",
  "no scheme": "127.0.0.1:3000/",
  "protocol-relative": "//127.0.0.1:3000/",
  "another host": "http://example.com:3000/",
  "another loopback address": "http://127.0.0.2:3000/",
  "any address": "http://0.0.0.0:3000/",
  "short address": "http://127.1:3000/",
  "decimal address": "http://2130706433:3000/",
  "octal address": "http://0177.0.0.1:3000/",
  "hex address": "http://0x7f.0.0.1:3000/",
  "full-width address": "http://１２７.0.0.1:3000/",
  "ideographic dot": "http://127。0。0。1:3000/",
  "upper-case host": "http://LOCALHOST:3000/",
  "trailing dot": "http://localhost.:3000/",
  "subdomain of localhost": "http://app.localhost:3000/",
  "localhost as a prefix": "http://localhost.example.com:3000/",
  "loopback as a prefix": "http://127.0.0.1.example.com:3000/",
  userinfo: "http://user@127.0.0.1:3000/",
  "userinfo with password": "http://u:p@127.0.0.1:3000/",
  "empty userinfo": "http://@127.0.0.1:3000/",
  "host in userinfo": "http://127.0.0.1:3000@example.com/",
  "port in userinfo": "http://localhost:3000@example.com:80/",
  backslash: "http://127.0.0.1:3000\\@example.com/",
  "backslashes for slashes": "http:\\\\127.0.0.1:3000/",
  "one slash": "http:/127.0.0.1:3000/",
  "three slashes": "http:///127.0.0.1:3000/",
  fragment: "http://127.0.0.1:3000/#x",
  "empty fragment": "http://127.0.0.1:3000/#",
  "fragment behind the port": "http://127.0.0.1:3000#",
  "leading space": " http://127.0.0.1:3000/",
  "trailing space": "http://127.0.0.1:3000/ ",
  "tab in the host": "http://127.0.\t0.1:3000/",
  "line feed in the path": "http://127.0.0.1:3000/a\nb",
  "carriage return and header": "http://127.0.0.1:3000/\r\nSet-Cookie: a=b",
  NUL: "http://127.0.0.1:3000/\0",
  "non-ASCII path": "http://127.0.0.1:3000/é",
  "unmapped IPv6": "http://[::ffff:127.0.0.1]:3000/",
  "long IPv6": "http://[0:0:0:0:0:0:0:1]:3000/",
  "IPv6 with zone": "http://[::1%25lo]:3000/",
  "IPv6 without brackets": "http://::1:3000/",
  "code in the query": "http://127.0.0.1:3000/?code=x",
  "state in the query": "http://127.0.0.1:3000/?a=1&state=x",
  "error in the query": "http://127.0.0.1:3000/?error",
  "iss in the query": "http://127.0.0.1:3000/?iss=x",
  "encoded code in the query": "http://127.0.0.1:3000/?%63ode=x",
  "angle brackets": "http://127.0.0.1:3000/<script>",
  quote: 'http://127.0.0.1:3000/"',
  "too long": `http://127.0.0.1:3000/${"a".repeat(1024)}`,
  empty: "",
};

describe("redirect_to", () => {
  for (const text of GOOD) {
    it(`may be ${text}`, () => assert.equal(isLoopbackRedirect(text), true));
  }
  for (const [name, text] of Object.entries(BAD)) {
    it(`is refused: ${name}`, () => assert.equal(isLoopbackRedirect(text), false));
  }

  it("never leads a URL parser anywhere but to a loopback port", () => {
    const piece = fc.constantFrom(
      "http://",
      "https://",
      "127.0.0.1",
      "localhost",
      "[::1]",
      ":",
      "80",
      "3000",
      "/",
      "@",
      "#",
      "?",
      "\\",
      ".",
      "%",
      "evil.example",
      "a=b",
      "&",
      "\t",
      " ",
      "0",
      "００",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = pieces.join("");
        if (!isLoopbackRedirect(text)) return;
        const url = new URL(text);
        assert.ok(["127.0.0.1", "localhost", "[::1]"].includes(url.hostname));
        assert.equal(url.username + url.password + url.hash, "");
        assert.match(text, /:\d+/);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe("the loopback redirect", () => {
  const cases: [redirectTo: string, expected: string][] = [
    ["http://127.0.0.1:80", "http://127.0.0.1:80/?code=a%2Bb&state=s"],
    ["http://127.0.0.1:80/", "http://127.0.0.1:80/?code=a%2Bb&state=s"],
    ["http://[::1]:99/cb", "http://[::1]:99/cb?code=a%2Bb&state=s"],
    ["http://localhost:99?x=1", "http://localhost:99/?x=1&code=a%2Bb&state=s"],
    ["http://localhost:99/cb?x=1?2", "http://localhost:99/cb?x=1?2&code=a%2Bb&state=s"],
    ["http://localhost:99/cb?", "http://localhost:99/cb?code=a%2Bb&state=s"],
  ];
  for (const [redirectTo, expected] of cases) {
    it(`keeps ${redirectTo} as the client wrote it`, () =>
      assert.equal(withParameters(redirectTo, { code: "a+b", state: "s" }), expected));
  }
});
