import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { startEngineProcess } from "../support/processes/engine-process.ts";
import { nodeRim } from "../support/signin/runtimes.ts";
import { ROOT } from "./sources.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");

describe("the account walk-through of the README", () => {
  it("runs as it is written: code, sign-up, session, logout", async () => {
    await using signin = await nodeRim.boot({ APP_ENV: "development" });
    await using engine = await startEngineProcess({
      env: { ENGINE_ACCOUNT_URL: signin.baseUrl },
    });
    const script = [...README.matchAll(/^```bash account\n([\s\S]*?)^```$/gm)].map(
      ([, block]) => block,
    );
    const bash = spawn("bash", ["-euo", "pipefail", "-c", script.join("\necho\n")], {
      cwd: ROOT,
      env: { ...process.env, BASE: engine.baseUrl, TOKEN: engine.runtime.token },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const printed = text(bash.stdout);
    bash.stdin.end(`${await mailedCode(signin.output)}\n`);
    const answers = (await printed)
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
