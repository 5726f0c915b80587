/** What the operator decided; see `parseConfig`. */
export interface EngineConfig {
  dataDirectory: string;
  host: string;
  /** The port asked for; undefined means the default one, or a free one where that is taken. 0 means any free one. */
  port: number | undefined;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  accountUrl: string | undefined;
  credentialStore: "auto" | "keychain" | "file";
  embeddings: EmbeddingsConfig;
  logLevel: string;
}

export type EmbeddingsConfig =
  | { kind: "builtin" }
  | { kind: "openai-compatible"; url: string; model: string; apiKey: string | undefined };
