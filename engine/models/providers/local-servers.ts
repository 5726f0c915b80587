/** A model server that a person may run on this machine, at its usual port. */
export interface LocalServer {
  /** `provider` of a model configuration for it. */
  provider: string;
  port: number;
  /** Where it lists its models, and what the answer is like: `{[field]: [{[name]: string}]}`. */
  listPath: string;
  list: { field: string; name: string };
  /** What follows the origin in `baseUrl` of a model configuration. */
  basePath: string;
}

const OPENAI_STYLE = {
  listPath: "/v1/models",
  list: { field: "data", name: "id" },
  basePath: "/v1",
};

/** In the order in which discovery answers. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  {
    provider: "ollama",
    port: 11434,
    listPath: "/api/tags",
    list: { field: "models", name: "name" },
    basePath: "",
  },
  // LM Studio, llama.cpp, Jan and vLLM.
  { provider: "openai-compatible", port: 1234, ...OPENAI_STYLE },
  { provider: "openai-compatible", port: 8080, ...OPENAI_STYLE },
  { provider: "openai-compatible", port: 1337, ...OPENAI_STYLE },
  { provider: "openai-compatible", port: 8000, ...OPENAI_STYLE },
];
