import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { startEngineProcess } from "../support/engine/process.ts";
import { nodeRuntime } from "../support/signin/runtimes.ts";
import { until } from "../support/time.ts";
import { bashOf, runBash, snippetsOf } from "./snippets.ts";
import { ROOT } from "./sources.ts";

describe("the walk-through of docs/account.md", () => {
  it("runs as it is written: code, sign-up, session, logout", async () => {
    await using signin = await nodeRuntime.boot({ APP_ENV: "development" });
    await using engine = await startEngineProcess({
      env: { ENGINE_ACCOUNT_URL: signin.baseUrl },
    });
    const env = { BASE: engine.baseUrl, TOKEN: engine.runtime.token };
    const typed = mailedCode(signin.output).then((code) => `${code}\n`);
    const printed = await runBash(bashOf("docs/account.md", "account"), env, typed);
    const answers = printed
      .replaceAll("}{", "}\n{")
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    const [asked, signedUp, session, loggedOut] = answers;
    assert.deepEqual(Object.keys(asked), ["notice"]);
    assert.equal(signedUp.user.email, "ada@example.com");
    assert.deepEqual(session, signedUp);
    assert.deepEqual(loggedOut, { authenticated: false, user: null });
    await signInWithClient(signin.baseUrl);
  });
});

/** Runs the snippet of docs/client.md against this server, for the same account. */
async function signInWithClient(baseUrl: string): Promise<void> {
  const [snippet = ""] = snippetsOf("docs/client.md", "ts signin");
  const program = `
    const stored = new Map();
    globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key) };
    const [email, password] = ["ada@example.com", "correct horse battery"];
    ${snippet.replace("https://auth.example.com", baseUrl)}
    console.log(JSON.stringify(connectedProviders));`;
  const args = ["--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  assert.equal(stdout, "[]\n");
}

/** The person who reads the mail in the server's log. */
function mailedCode(output: () => string): Promise<string> {
  return until("The mailed code", () => {
    const mail = output()
      .split("\n")
      .find((line) => line.includes('"mail"'));
    return /\b\d{8}\b/.exec(mail ?? "")?.[0];
  });
}
