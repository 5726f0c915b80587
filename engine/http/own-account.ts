import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness, release } from "node:os";
import { unlessMissing } from "../../shared/system-error.ts";

/** The two ends of a connection, as the socket of the server has them. */
export type Connection = Pick<
  Socket,
  "localAddress" | "localPort" | "remoteAddress" | "remotePort"
>;

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
// The kernel's place for an account that has no number here; any account of another user namespace.
const OVERFLOW_UID = 65_534;

/**
 * Whether the client of a connection over loopback runs in the account of this process. Linux alone tells; the answer is yes
 * elsewhere, and under WSL, where a browser of Windows comes through a relay of the system.
 */
export async function isOwnAccount(connection: Connection): Promise<boolean> {
  if (process.platform !== "linux" || /microsoft/i.test(release())) return true;
  // A kernel without IPv6 has no table of it.
  const read = (path: string) => readFile(path, "latin1").catch(unlessMissing);
  const tables = await Promise.all(TABLES.map(read));
  const uid = clientUid(tables.join(""), connection);
  return uid !== undefined && uid === process.getuid?.() && uid !== OVERFLOW_UID;
}

const ESTABLISHED = "01";
// Behind the state: queues, timer, retransmissions, account.
const UID_FIELD = 3;

/** The account of the established socket of a client, by tables such as `/proc/net/tcp`; undefined if they have no such socket. @internal for tests */
export function clientUid(tables: string, connection: Connection): number | undefined {
  const { localAddress, localPort, remoteAddress, remotePort } = connection;
  const [server, client] = [hexForms(localAddress), hexForms(remoteAddress)];
  for (const [at, from] of client.entries()) {
    const ends = ` ${from}:${hexPort(remotePort)} ${server[at]}:${hexPort(localPort)} ${ESTABLISHED} `;
    const found = tables.indexOf(ends);
    if (found === -1) continue;
    const rest = tables.slice(found + ends.length, tables.indexOf("\n", found));
    const uid = rest.trim().split(/ +/)[UID_FIELD];
    return uid === undefined ? undefined : Number(uid);
  }
  return undefined;
}

/** A loopback address as the tables write it, an IPv4 address also as the IPv6 address that it is mapped to. Others have no form. */
function hexForms(address: string | undefined): string[] {
  if (address === "::1") return [hexWords(0, 0, 0, 1)];
  const bytes =
    address
      ?.replace(/^::ffff:/i, "")
      .split(".")
      .map(Number) ?? [];
  if (bytes.length !== 4) return [];
  const word = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  return [hexWords(word), hexWords(0, 0, 0xff_ff, word)];
}

/** The kernel prints each word of an address in the byte order of the machine. */
function hexWords(...words: number[]): string {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [at, word] of words.entries()) bytes.writeUInt32BE(word, at * 4);
  if (endianness() === "LE") bytes.swap32();
  return bytes.toString("hex").toUpperCase();
}

function hexPort(port = 0): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}
