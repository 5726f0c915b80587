import { createClient } from "@libsql/client/http";
import { createDatabase } from "../../shared/database.ts";
import type { RequestDatabase } from "../deps.ts";

/** A libSQL server, such as Turso. */
interface RemoteDatabase {
  url: string;
  authToken: string | undefined;
}

/**
 * A client of a libSQL server over HTTP, for one request or command: in workerd no request may await the I/O of another one.
 * Every batch is a write transaction: a deferred one can fail half-way with BUSY.
 */
export function openHttpDatabase({ url, authToken }: RemoteDatabase): RequestDatabase {
  const client = createClient({ url, ...(authToken === undefined ? {} : { authToken }) });
  const batch = client.batch.bind(client);
  client.batch = (statements) => batch(statements, "write");
  return { db: createDatabase(client), close: () => client.close() };
}
