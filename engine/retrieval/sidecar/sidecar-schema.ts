/** Written to `user_version`; an index of a later version is not touched. */
export const SCHEMA_VERSION = 1;

/**
 * The tables of an index. Ids are never reused: a client may hold one. The full text table stores no text (`content=''`):
 * deleting a row takes the values that were inserted. That keeps its row count right, so that scores never depend on
 * deleted rows. No table has the text of a sensitive file.
 */
export const SCHEMA = `
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
export const FAILURE_SCHEMA = `
CREATE TABLE IF NOT EXISTS failure (
  path TEXT PRIMARY KEY,
  stamp TEXT,
  hash BLOB,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

// secure_delete: deleted content is overwritten. No spilling: a reader must not wait for an open transaction.
export const PRAGMAS = [
  "journal_mode = DELETE",
  "synchronous = FULL",
  "secure_delete = ON",
  "foreign_keys = ON",
  "cache_size = -16384",
  "cache_spill = OFF",
  "temp_store = MEMORY",
];
