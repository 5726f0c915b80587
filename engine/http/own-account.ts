import { readFile } from "node:fs/promises";
import { release } from "node:os";
import { unlessMissing } from "../../shared/system-error.ts";
import { type Connection, clientUid } from "./client-uid.ts";

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
