import type { InStatement, ResultSet } from "@libsql/client";
import type { Database } from "./database.ts";

/** Statements that commit together. Each result belongs to the statement that was added for it. */
export class Batch {
  readonly #statements: InStatement[] = [];
  #results: ResultSet[] = [];

  /** Returns a function for the statement's rows, to be called after `run`. */
  add(statement: InStatement): () => ResultSet["rows"] {
    const at = this.#statements.push(statement) - 1;
    return () => this.#results[at]?.rows ?? [];
  }

  /** Commits all statements, or none. */
  async run(db: Database): Promise<void> {
    this.#results = await db.$client.batch(this.#statements, "write");
  }
}
