import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  networkHas,
  parseAddress,
  parseNetwork,
  toPrefix,
} from "../../../signin/config/network.ts";
import { createAddressReader } from "../../../signin/http/client-address.ts";

describe("an address", () => {
  const bad = [
    "",
    "1.2.3",
    "1.2.3.4.5",
    "256.0.0.1",
    "01.2.3.4",
    "0x7f.0.0.1",
    "1.2.3.4 ",
    "localhost",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "::12345",
    "fe80::1%eth0",
    "::1.2.3",
    "g::1",
    "1:2:3:4:5:6:7::8",
  ];
  for (const text of bad) {
    it(`is none: ${JSON.stringify(text)}`, () => assert.equal(parseAddress(text), undefined));
  }

  it("has one form, however it is spelled", () => {
    assert.deepEqual(parseAddress("::ffff:10.0.0.1"), parseAddress("10.0.0.1"));
    assert.deepEqual(parseAddress("2001:DB8::1"), parseAddress("2001:db8:0:0:0:0:0:1"));
    assert.deepEqual(parseAddress("::")?.toByteArray(), new Array(16).fill(0));
  });
});

describe("a network", () => {
  const cases: [network: string, address: string, inside: boolean][] = [
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.1", "127.0.0.2", false],
    ["0.0.0.0/0", "8.8.8.8", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["::/0", "8.8.8.8", true],
    ["2001:db8::/33", "2001:db8:7fff::1", true],
    ["2001:db8::/33", "2001:db8:8000::1", false],
    ["10.0.0.0/8", "nonsense", false],
  ];
  for (const [text, address, inside] of cases) {
    it(`${text} ${inside ? "has" : "does not have"} ${address}`, () => {
      const network = parseNetwork(text);
      assert.ok(network);
      assert.equal(networkHas(network, address), inside);
    });
  }
  for (const text of [
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "/8",
    "10.0.0.0/-1",
    "a",
  ]) {
    it(`is none: ${text}`, () => assert.equal(parseNetwork(text), undefined));
  }
});

describe("a stored address", () => {
  const cases: [address: string, prefix: string | undefined][] = [
    ["203.0.113.77", "203.0.113.0/24"],
    ["::ffff:203.0.113.77", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:db8:0:2::", "2001:db8::/48"],
    ["::1", "::/48"],
    ["nonsense", undefined],
  ];
  for (const [address, prefix] of cases) {
    it(`of ${address} is ${prefix}`, () =>
      assert.equal(toPrefix(address, { v4: 24, v6: 48 }), prefix));
  }
});

describe("the client's address", () => {
  const trusting = createAddressReader({ trustedProxies: ["10.0.0.0/8", "::1"] });
  const cases: [name: string, peer: string, forwarded: string | undefined, client: string][] = [
    ["is the peer's", "203.0.113.1", undefined, "203.0.113.1"],
    ["is not what a stranger claims", "203.0.113.1", "198.51.100.9", "203.0.113.1"],
    ["is what a trusted proxy says", "10.0.0.1", "198.51.100.9", "198.51.100.9"],
    [
      "is the rightmost that is no proxy",
      "10.0.0.1",
      "1.1.1.1, 198.51.100.9, 10.0.0.2",
      "198.51.100.9",
    ],
    ["is the proxy's where all are proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["is the last good one in front of nonsense", "10.0.0.1", "unknown, 10.0.0.2", "10.0.0.2"],
    ["is the peer's where the header is nonsense", "10.0.0.1", "evil", "10.0.0.1"],
    ["is the peer's without the header", "10.0.0.1", undefined, "10.0.0.1"],
    ["has no port", "10.0.0.1", "198.51.100.9:50123", "198.51.100.9"],
    ["has no brackets", "10.0.0.1", "[2001:db8::9]", "2001:db8::9"],
    ["has neither", "10.0.0.1", "[2001:db8::9]:443, 10.0.0.2:8080", "2001:db8::9"],
    ["is no bare IPv6 address cut at a colon", "10.0.0.1", "2001:db8::9", "2001:db8::9"],
    ["is the peer's where the port is none", "10.0.0.1", "198.51.100.9:x", "10.0.0.1"],
    [
      "comes from a proxy in its mapped form, too",
      "::ffff:10.0.0.1",
      "198.51.100.9",
      "198.51.100.9",
    ],
  ];
  for (const [name, address, forwarded, client] of cases) {
    it(name, () => {
      const headers = new Headers(forwarded === undefined ? {} : { "x-forwarded-for": forwarded });
      assert.equal(trusting({ address }, headers), client);
    });
  }

  it("is final where the edge says so", () => {
    const headers = new Headers({ "x-forwarded-for": "198.51.100.9" });
    assert.equal(trusting({ address: "10.0.0.1", addressIsFinal: true }, headers), "10.0.0.1");
  });
});
