import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseConfig } from "../../engine/config.ts";
import { BadConfiguration, type Environment } from "../../shared/env.ts";

const MACHINE = { platform: "linux", home: "/home/ada" } as const;
const parse = (env: Environment) => parseConfig(env, MACHINE);

describe("the configuration", () => {
  it("needs no variable", () => {
    assert.deepEqual(parse({}), {
      dataDirectory: "/home/ada/.local/share/roundhouse",
      host: "127.0.0.1",
      port: undefined,
      allowedHosts: [],
      allowedOrigins: [],
      console: true,
      openai: true,
      discovery: true,
      accountUrl: undefined,
      credentialStore: "auto",
      embeddings: { kind: "builtin" },
      rerank: undefined,
      logLevel: "info",
    });
  });

  it("takes an empty variable for an unset one", () => {
    const empty = { ENGINE_DATA_DIR: "", ENGINE_PORT: "", ENGINE_HOST: "", ENGINE_ACCOUNT_URL: "" };
    assert.deepEqual(parse(empty), parse({}));
  });

  it("keeps its files where the platform keeps data", () => {
    const at = (platform: NodeJS.Platform, env: Environment = {}) =>
      parseConfig(env, { ...MACHINE, platform }).dataDirectory;
    assert.equal(at("darwin"), "/home/ada/Library/Application Support/roundhouse");
    assert.equal(at("linux", { XDG_DATA_HOME: "/data" }), "/data/roundhouse");
    assert.match(at("win32", { LOCALAPPDATA: "/local" }), /local.roundhouse$/);
    assert.match(at("win32"), /AppData.Local.roundhouse$/);
    assert.equal(at("linux", { ENGINE_DATA_DIR: "/elsewhere" }), "/elsewhere");
  });

  it("splits lists at commas and drops empty entries", () => {
    const read = parse({
      ENGINE_ALLOWED_HOSTS: "engine.internal, proxy.example:8443,,[fd00::1]",
      ENGINE_ALLOWED_ORIGINS: "https://app.example, null, tauri://localhost, http://localhost:3000",
    });
    assert.deepEqual(read.allowedHosts, ["engine.internal", "proxy.example:8443", "[fd00::1]"]);
    assert.deepEqual(read.allowedOrigins, [
      "https://app.example",
      "null",
      "tauri://localhost",
      "http://localhost:3000",
    ]);
  });

  it("writes a host in the form of a URL", () => {
    assert.equal(parse({ ENGINE_HOST: "::1" }).host, "[::1]");
    assert.equal(parse({ ENGINE_HOST: "[::1]" }).host, "[::1]");
    assert.equal(parse({ ENGINE_HOST: "LocalHost" }).host, "localhost");
    assert.equal(parse({ ENGINE_HOST: "127.8.9.1" }).host, "127.8.9.1");
  });

  it("reads a reranker of this machine, and of another where that is allowed", () => {
    assert.equal(parse({}).rerank, undefined);
    assert.equal(parse({ ENGINE_RERANK_MODEL: "m", ENGINE_RERANK_API_KEY: "k" }).rerank, undefined);
    assert.deepEqual(parse({ ENGINE_RERANK_URL: "http://[::1]:8080/v1/" }).rerank, {
      url: "http://[::1]:8080/v1",
      model: undefined,
      apiKey: undefined,
    });
    const remote = { ENGINE_RERANK_URL: "https://rerank.example/v1", ENGINE_RERANK_MODEL: "m" };
    assert.throws(
      () => parse(remote),
      /^BadConfiguration: ENGINE_RERANK_URL: must be an address of this/,
    );
    const allowed = { ...remote, ENGINE_RERANK_ALLOW_REMOTE: "1", ENGINE_RERANK_API_KEY: "k" };
    assert.deepEqual(parse(allowed).rerank, {
      url: "https://rerank.example/v1",
      model: "m",
      apiKey: "k",
    });
    const bad = { ENGINE_RERANK_URL: "http://user:canary@127.0.0.1/" };
    assert.throws(
      () => parse(bad),
      (error) => !/canary/.test(String(error)),
    );
  });

  it("reads an embedder of this machine, and of another where that is allowed", () => {
    const local = {
      ENGINE_EMBEDDINGS: "openai-compatible",
      ENGINE_EMBEDDINGS_URL: "http://127.0.0.1:11434/v1/",
      ENGINE_EMBEDDINGS_MODEL: "nomic",
    };
    assert.deepEqual(parse(local).embeddings, {
      kind: "openai-compatible",
      url: "http://127.0.0.1:11434/v1",
      model: "nomic",
      apiKey: undefined,
    });
    const remote = { ...local, ENGINE_EMBEDDINGS_URL: "https://embeddings.example/v1" };
    assert.throws(() => parse(remote), /^BadConfiguration: ENGINE_EMBEDDINGS_URL: /);
    const allowed = parse({
      ...remote,
      ENGINE_EMBEDDINGS_ALLOW_REMOTE: "1",
      ENGINE_EMBEDDINGS_API_KEY: "k",
    }).embeddings;
    assert.deepEqual(allowed, {
      kind: "openai-compatible",
      url: "https://embeddings.example/v1",
      model: "nomic",
      apiKey: "k",
    });
  });

  const bad: [name: string, values: string[]][] = [
    ["ENGINE_HOST", ["0.0.0.0", "::", "192.168.1.2", "example.org", "localhost.", "127.0.0.1:80"]],
    ["ENGINE_PORT", ["x", "-1", "65536", "1.5", "80a", "0x50", " 80"]],
    ["ENGINE_ALLOWED_HOSTS", ["http://a", "a/b", "a b", "a:b", "*"]],
    ["ENGINE_ALLOWED_ORIGINS", ["https://a/path", "a.example", "https://a/", "*"]],
    ["ENGINE_ACCOUNT_URL", ["accounts", "ftp://a", "http://accounts.example", "https://u:p@a"]],
    ["ENGINE_CREDENTIAL_STORE", ["paper", "FILE"]],
    ["ENGINE_EMBEDDINGS", ["yes"]],
    ["ENGINE_EMBEDDINGS_ALLOW_REMOTE", ["true"]],
    ["ENGINE_LOG_LEVEL", ["loud"]],
  ];
  for (const [name, values] of bad) {
    for (const value of values) {
      it(`refuses ${name}=${value} in one sentence that names it`, () => {
        assert.throws(
          () => parse({ [name]: value }),
          (error) => {
            assert.ok(error instanceof BadConfiguration);
            assert.match(error.message, new RegExp(`^${name}: [^\\n]+$`));
            return true;
          },
        );
      });
    }
  }

  it("names every bad variable at once, and never a value", () => {
    const secret = "hunter2";
    const env = {
      ENGINE_PORT: "none",
      ENGINE_ACCOUNT_URL: `https://ada:${secret}@accounts.example`,
      ENGINE_EMBEDDINGS: "openai-compatible",
      ENGINE_EMBEDDINGS_URL: `http://:${secret}@127.0.0.1/`,
      ENGINE_EMBEDDINGS_API_KEY: secret,
    };
    assert.throws(
      () => parse(env),
      ({ message }: Error) => {
        assert.match(message, /^ENGINE_PORT: .*\nENGINE_ACCOUNT_URL: .*\nENGINE_EMBEDDINGS_URL: /);
        assert.ok(!message.includes(secret));
        return true;
      },
    );
  });

  it("requires the variables of an embedder", () => {
    assert.throws(
      () => parse({ ENGINE_EMBEDDINGS: "openai-compatible" }),
      (error: Error) => {
        assert.match(error.message, /^ENGINE_EMBEDDINGS_URL: .*\nENGINE_EMBEDDINGS_MODEL: /);
        return true;
      },
    );
  });
});
