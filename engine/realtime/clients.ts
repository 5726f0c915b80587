/** A connection as the registry knows it. */
export interface RegisteredConnection {
  sendText(text: string): void;
}

/** The ids of all connected clients of this process (Engine §3, client registration). */
export class ClientRegistry {
  readonly #connections = new Map<string, RegisteredConnection>();
  readonly #ids = new Map<RegisteredConnection, string>();

  /**
   * Returns the connection's new id, or undefined if the requested id belongs to another connection; then nothing
   * changes. A registered connection that requests no id keeps its own.
   */
  register(connection: RegisteredConnection, requestedId: string | undefined): string | undefined {
    const ownId = this.#ids.get(connection);
    const id = requestedId ?? ownId ?? crypto.randomUUID();
    const holder = this.#connections.get(id);
    if (holder && holder !== connection) return undefined;
    this.release(connection);
    this.#connections.set(id, connection);
    this.#ids.set(connection, id);
    return id;
  }

  release(connection: RegisteredConnection): void {
    const id = this.#ids.get(connection);
    if (id === undefined) return;
    this.#ids.delete(connection);
    this.#connections.delete(id);
  }

  /** Sends a frame, encoded once by the caller, to all registered connections but one. */
  broadcast(encode: () => string, except?: RegisteredConnection): void {
    let text: string | undefined;
    for (const connection of this.#connections.values()) {
      if (connection === except) continue;
      text ??= encode();
      connection.sendText(text);
    }
  }
}
