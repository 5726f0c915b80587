import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startEngineProcess } from "../support/engine/process.ts";
import { nodeRuntime } from "../support/signin/runtimes.ts";
import { bashOf, runBash } from "./bash-blocks.ts";

describe("the account walk-through of the README", () => {
  it("runs as it is written: code, sign-up, session, logout", async () => {
    await using signin = await nodeRuntime.boot({ APP_ENV: "development" });
    await using engine = await startEngineProcess({
      env: { ENGINE_ACCOUNT_URL: signin.baseUrl },
    });
    const env = { BASE: engine.baseUrl, TOKEN: engine.runtime.token };
    const typed = mailedCode(signin.output).then((code) => `${code}\n`);
    const printed = await runBash(bashOf("README.md", "account"), env, typed);
    const answers = printed
      .replaceAll("}{", "}\n{")
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    const [asked, signedUp, session, loggedOut] = answers;
    assert.deepEqual(Object.keys(asked), ["notice"]);
    assert.equal(signedUp.user.email, "ada@example.com");
    assert.deepEqual(session, signedUp);
    assert.deepEqual(loggedOut, { authenticated: false, user: null });
  });
});

/** The person who reads the mail in the server's log. */
async function mailedCode(output: () => string): Promise<string> {
  const signal = AbortSignal.timeout(30_000);
  for (;;) {
    signal.throwIfAborted();
    const mail = output()
      .split("\n")
      .find((line) => line.includes('"mail"'));
    const code = /\b\d{8}\b/.exec(mail ?? "")?.[0];
    if (code) return code;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
