import type { Database } from "../../shared/database.ts";
import { EmbeddedClient } from "../../shared/node/embedded-client.ts";

/** The client of engine.db, which is an embedded file, with what such a client alone can do. */
export function embedded({ $client }: Database): EmbeddedClient {
  if (!($client instanceof EmbeddedClient)) throw new TypeError("engine.db is an embedded file.");
  return $client;
}
