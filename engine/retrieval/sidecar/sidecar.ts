import Database from "libsql";
import { RetrievalFailure, SidecarDamaged, toRetrievalError } from "../failures.ts";
import { SIDECAR_BUSY_WAIT_MS } from "../limits.ts";

/** Written to `user_version`; an index of a later version is not touched. */
const SCHEMA_VERSION = 1;

/**
 * The tables of an index. Ids are never reused: a client may hold one. The full text table stores no text (`content=''`):
 * deleting a row takes the values that were inserted. That keeps its row count right, so that scores never depend on
 * deleted rows. No table has the text of a sensitive file.
 */
const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE document (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  stamp TEXT,
  hash BLOB,
  device TEXT,
  title TEXT NOT NULL,
  sensitive INTEGER NOT NULL
) STRICT;
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document_id INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  start_line INTEGER,
  end_line INTEGER,
  heading TEXT NOT NULL,
  content TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  token_estimate INTEGER
) STRICT;
CREATE INDEX chunk_document ON chunk (document_id, ordinal);
CREATE INDEX chunk_hash ON chunk (content_hash);
CREATE TABLE vector (
  chunk_id INTEGER PRIMARY KEY REFERENCES chunk ON DELETE CASCADE,
  embedding BLOB NOT NULL
) STRICT;
CREATE TABLE basis (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sample BLOB NOT NULL,
  chunks INTEGER NOT NULL,
  last_chunk_id INTEGER NOT NULL,
  k INTEGER NOT NULL,
  terms BLOB NOT NULL,
  idf BLOB NOT NULL,
  vectors BLOB NOT NULL,
  scales BLOB NOT NULL,
  bucket_idf BLOB NOT NULL
) STRICT;
CREATE VIRTUAL TABLE chunk_fts USING fts5(
  path, title, heading, body, idents, content='', tokenize='porter unicode61 remove_diacritics 2'
);
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Files that could not be read, with their stamps. Added later; older engines ignore it. */
const FAILURE_SCHEMA = `
CREATE TABLE IF NOT EXISTS failure (
  path TEXT PRIMARY KEY,
  stamp TEXT,
  hash BLOB,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

// secure_delete: deleted content is overwritten. No spilling: a reader must not wait for an open transaction.
const PRAGMAS = [
  "journal_mode = DELETE",
  "synchronous = FULL",
  "secure_delete = ON",
  "foreign_keys = ON",
  "cache_size = -16384",
  "cache_spill = OFF",
  "temp_store = MEMORY",
];

/** A value of SQLite. */
export type SqlValue = string | number | Uint8Array | null;

/** The bytes of an array, for SQLite. */
export function toBlob(array: Int8Array | Float32Array | Float64Array | Uint8Array): Uint8Array {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

/**
 * An open index: prepared statements and transactions. Synchronous on purpose: it runs in a worker thread, and no other
 * code of that thread runs between the statements of a transaction.
 */
export class Sidecar implements Disposable {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  #open = true;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Rows as arrays of values. */
  all<Row extends readonly SqlValue[]>(sql: string, values: readonly SqlValue[] = []): Row[] {
    return this.#prepare(sql).all(values) as unknown as Row[];
  }

  /** The first row, if there is one. */
  get<Row extends readonly SqlValue[]>(
    sql: string,
    values: readonly SqlValue[] = [],
  ): Row | undefined {
    return this.all<Row>(sql, values)[0];
  }

  /** The id of the last inserted row. */
  run(sql: string, values: readonly SqlValue[] = []): number {
    return Number(this.#prepare(sql).run(values).lastInsertRowid);
  }

  /** A transaction. Takes the write lock first: SQLite can refuse an upgrade of a read lock. */
  write<Result>(change: () => Result): Result {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const result = change();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** All reads see one state until disposal. Commits of other threads wait meanwhile, so it must be short. */
  snapshot(): Disposable {
    this.#db.exec("BEGIN");
    return {
      [Symbol.dispose]: () => {
        if (this.#open && this.#db.inTransaction) this.#db.exec("COMMIT");
      },
    };
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    this.#statements.clear();
    this.#db.close();
  }

  // Always one array of values: libSQL takes a single blob for an object of named values, and aborts the process.
  #prepare(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    if (statement.reader) statement.raw(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Opens an index for writing; fills an empty file. The caller checks `OwnIndexes` first.
 * @throws SidecarDamaged, RetrievalFailure `conflict`.
 */
export function openSidecar(path: string): Sidecar {
  return open(path, (sidecar) => {
    if (versionOf(sidecar) !== 0) {
      sidecar.exec(FAILURE_SCHEMA);
      return;
    }
    const [tables] = sidecar.get<[number]>("SELECT count(*) FROM sqlite_master") ?? [0];
    if (tables !== 0) throw new SidecarDamaged("The file is a database, but no index.");
    sidecar.exec("PRAGMA auto_vacuum = INCREMENTAL");
    sidecar.write(() => sidecar.exec(SCHEMA + FAILURE_SCHEMA));
  });
}

/** Opens an existing index for search. @throws as `openSidecar`. */
export function openExistingSidecar(path: string): Sidecar {
  return open(path, (sidecar) => {
    if (versionOf(sidecar) === 0) throw new SidecarDamaged("The file holds no index.");
  });
}

/** Reads an index at an address of `openUnchanged`, whatever it is. */
export function openUnchangedSidecar(uri: string): Sidecar {
  return new Sidecar(new Database(uri));
}

function open(path: string, prepare: (sidecar: Sidecar) => void): Sidecar {
  const db = new Database(path, { timeout: SIDECAR_BUSY_WAIT_MS });
  const sidecar = new Sidecar(db);
  try {
    for (const pragma of PRAGMAS) sidecar.all(`PRAGMA ${pragma}`);
    if (versionOf(sidecar) > SCHEMA_VERSION) {
      const message = "The index of this root was written by a newer engine; use that one.";
      throw new RetrievalFailure("conflict", message);
    }
    prepare(sidecar);
    return sidecar;
  } catch (error) {
    sidecar[Symbol.dispose]();
    throw toRetrievalError(error);
  }
}

function versionOf(sidecar: Sidecar): number {
  return sidecar.get<[number]>("PRAGMA user_version")?.[0] ?? 0;
}
