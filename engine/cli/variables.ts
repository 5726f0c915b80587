/** The end of `--help`: every variable. */
export const VARIABLES = `Variables (none is needed)

  ENGINE_DATA_DIR              where the engine keeps its files (Linux: ~/.local/share/roundhouse)
  ENGINE_HOST                  a loopback name or address (127.0.0.1)
  ENGINE_PORT                  the port (7717, or a free one where that is taken; 0 means any free one)
  ENGINE_ALLOWED_HOSTS         further Host names, comma-separated
  ENGINE_ALLOWED_ORIGINS       browser origins that may call the engine, comma-separated
  ENGINE_CONSOLE               0 switches the console off; 1 (default) serves it at /console/
  ENGINE_ACCOUNT_URL           the sign-in server
  ENGINE_CREDENTIAL_STORE      where the key of stored credentials is kept: auto (default), keychain or file
  ENGINE_EMBEDDINGS            builtin (default), or openai-compatible
  ENGINE_EMBEDDINGS_URL, ENGINE_EMBEDDINGS_MODEL, ENGINE_EMBEDDINGS_API_KEY
                               that server
  ENGINE_EMBEDDINGS_ALLOW_REMOTE
                               1 allows another machine as that server: it gets the content of your files
  ENGINE_RERANK_URL, ENGINE_RERANK_MODEL, ENGINE_RERANK_API_KEY
                               a server that orders the results of searches; /rerank is added to its URL
  ENGINE_RERANK_ALLOW_REMOTE   1 allows another machine as that server: it gets queries and texts of your files
  ENGINE_LOG_LEVEL             trace, debug, info (default), warn, error, fatal or silent
`;
