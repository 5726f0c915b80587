import assert from "node:assert/strict";
import { endianness } from "node:os";
import { it } from "node:test";
import { clientUid } from "../../../engine/http/own-account.ts";

const V4 = {
  localAddress: "127.0.0.1",
  localPort: 7717,
  remoteAddress: "127.0.0.1",
  remotePort: 40000,
};
const HEAD =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const SERVER = row("0100007F:1E25", "0100007F:9C40", "01", 1000);

function row(local: string, remote: string, state: string, uid: number): string {
  return `   3: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 263916 2 0000000085483124 20 0 0 10 -1\n`;
}

it("the account of a client is that of its own end of the connection", {
  skip: endianness() === "LE" ? false : "the rows are those of a little-endian machine",
}, () => {
  const own = row("0100007F:9C40", "0100007F:1E25", "01", 65534);
  const mapped = "0000000000000000FFFF00000100007F";
  const six = "00000000000000000000000001000000";
  const ownMapped = row(`${mapped}:9C40`, `${mapped}:1E25`, "01", 1001);
  const ownSix = row(`${six}:9C40`, `${six}:1E25`, "01", 1002);
  const asSix = { ...V4, localAddress: "::1", remoteAddress: "::1" };
  const asMapped = {
    ...V4,
    localAddress: "::ffff:127.0.0.1",
    remoteAddress: "::ffff:127.0.0.1",
  };
  const cases: [string, string, Parameters<typeof clientUid>[1], number | undefined][] = [
    ["an IPv4 socket", SERVER + own, V4, 65534],
    ["an IPv6 socket of an IPv4 address", SERVER + ownMapped, V4, 1001],
    ["an IPv4 socket at a server of both", SERVER + own, asMapped, 65534],
    ["an IPv6 socket", SERVER + ownSix, asSix, 1002],
    ["the server's end alone", SERVER, V4, undefined],
    [
      "a socket that is closed already",
      row("0100007F:9C40", "0100007F:1E25", "05", 0),
      V4,
      undefined,
    ],
    ["another port", row("0100007F:9C41", "0100007F:1E25", "01", 0), V4, undefined],
    ["another server", row("0100007F:9C40", "0100007F:1E26", "01", 0), V4, undefined],
    [
      "another address of this machine",
      SERVER + own,
      { ...V4, remoteAddress: "127.0.0.2" },
      undefined,
    ],
    [
      "an address that is not of loopback",
      SERVER + ownSix,
      { ...asSix, remoteAddress: "fe80::1" },
      undefined,
    ],
    ["a connection that is gone", SERVER + own, { ...V4, remoteAddress: undefined }, undefined],
    ["no table", "", V4, undefined],
  ];
  for (const [name, rows, connection, uid] of cases) {
    assert.equal(clientUid(HEAD + rows, connection), uid, name);
  }
});
