import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cli } from "../support/engine/cli.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";
import { freePort } from "../support/fake-server.ts";
import { json } from "../support/http.ts";
import { MACHINE } from "../support/processes.ts";
import { PASSWORD, SigninHarness } from "../support/signin/harness.ts";
import { inProcessRuntime } from "../support/signin/runtimes.ts";
import { until } from "../support/time.ts";

// The two real programs together: an engine that signs in to a sign-in server, over real sockets.

const LOGGED_OUT = { authenticated: false, user: null };
const AHEAD = pathToFileURL(fileURLToPath(new URL("./programs/ahead-clock.mjs", import.meta.url)));
const START = fileURLToPath(new URL("../../engine/start.mjs", import.meta.url));
const ELEVEN_MINUTES_MS = 660_000;

interface Together extends AsyncDisposable {
  harness: SigninHarness;
  engineDirectory: string;
  /** A sign-in server on the same port and database as before. */
  bootSignin(): Promise<SigninHarness>;
  startEngine(): Promise<EngineProcess>;
}

async function openTogether(): Promise<Together> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-account-"));
  const port = await freePort();
  const signinDirectory = join(folder, "signin");
  const engineDirectory = join(folder, "engine");
  const bootSignin = () =>
    SigninHarness.open(inProcessRuntime, {
      SIGNIN_DATA_DIR: signinDirectory,
      SIGNIN_PORT: String(port),
    });
  const harness = await bootSignin();
  return {
    harness,
    engineDirectory,
    bootSignin,
    startEngine: () =>
      startEngineProcess({
        dataDirectory: engineDirectory,
        env: {
          ENGINE_ACCOUNT_URL: `http://127.0.0.1:${port}`,
          NODE_OPTIONS: `--import ${AHEAD.href}`,
          ROUNDHOUSE_TEST_AHEAD_MS: String(ELEVEN_MINUTES_MS),
        },
      }),
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function signUp(engine: EngineProcess, { mailbox }: SigninHarness, email: string) {
  const asked = await json(await engine.call("POST", "/account/signup/code", { email }));
  assert.deepEqual(Object.keys(asked), ["notice"]);
  const code = await mailbox.codeFor(email);
  const body = { email, code, password: PASSWORD, display_name: "Ada" };
  return json(await engine.call("POST", "/account/signup/complete", body));
}

const session = (engine: EngineProcess) => engine.call("GET", "/account/session");

/** Makes the engine believe that its access token has ended. */
async function passAccessLifetime(engine: EngineProcess): Promise<void> {
  engine.child.kill("SIGUSR2");
  await until("The other time", () => engine.stderr().includes("The clock runs ahead."));
}

describe("the engine and the sign-in server", () => {
  it("sign up, restart, log out and log in; nothing secret is in a log or in the clear", async () => {
    await using together = await openTogether();
    const { harness, startEngine, engineDirectory } = together;
    const email = "ada@example.test";
    await using first = await startEngine();
    const signedUp = await signUp(first, harness, email);
    const { id, ...user } = signedUp.user;
    assert.equal(typeof id, "string");
    assert.deepEqual(user, {
      email,
      display_name: "Ada",
      avatar_url: null,
      connected_providers: [],
    });
    assert.equal(signedUp.authenticated, true);
    await first.end("SIGTERM");

    await using second = await startEngine();
    assert.deepEqual(await json(await session(second)), signedUp);
    assert.deepEqual(await json(await second.call("POST", "/account/logout")), LOGGED_OUT);
    assert.deepEqual(await json(await session(second)), LOGGED_OUT);
    const wrong = { email, password: "wrong password" };
    const refused = await json(await second.call("POST", "/account/login", wrong), 401);
    assert.match(refused.error, /password is wrong/);
    const login = await second.call("POST", "/account/login", { email, password: PASSWORD });
    assert.deepEqual(await json(login), signedUp);
    const sealed = await readFile(join(engineDirectory, "account.sealed"), "utf8");
    assert.doesNotMatch(sealed, /rt1\./);
    for (const secret of [PASSWORD, "rt1.", "eyJ"]) {
      const said = first.stderr() + second.stderr() + harness.signin.output();
      assert.equal(said.includes(secret), false, secret);
    }
  });

  it("renew the session when its access token ends, once for all who ask at once", async () => {
    await using together = await openTogether();
    await using engine = await together.startEngine();
    const { harness } = together;
    const signedUp = await signUp(engine, harness, "grace@example.test");
    const counter = async () =>
      Number((await harness.signin.sql("SELECT max(counter) AS n FROM sessions"))[0]?.n);
    const before = await counter();
    await passAccessLifetime(engine);
    const answers = await Promise.all(Array.from({ length: 8 }, () => session(engine)));
    for (const answer of answers) assert.deepEqual(await json(answer), signedUp);
    assert.equal(await counter(), before + 1);
  });

  it("come together again after the server was away", async () => {
    await using together = await openTogether();
    await using engine = await together.startEngine();
    const signedUp = await signUp(engine, together.harness, "edith@example.test");
    await together.harness[Symbol.asyncDispose]();
    const away = await json(await session(engine), 502);
    assert.match(away.error, /cannot be reached/);
    await using _again = await together.bootSignin();
    assert.deepEqual(await json(await session(engine)), signedUp);
  });

  it("clear the local session on a logout though the server is away", async () => {
    await using together = await openTogether();
    await using engine = await together.startEngine();
    await signUp(engine, together.harness, "mary@example.test");
    await together.harness[Symbol.asyncDispose]();
    assert.deepEqual(await json(await engine.call("POST", "/account/logout")), LOGGED_OUT);
    assert.deepEqual(await json(await session(engine)), LOGGED_OUT);
  });

  describe("while both run", () => {
    let together: Together;
    let engine: EngineProcess;
    before(async () => {
      together = await openTogether();
      engine = await together.startEngine();
    });
    after(async () => {
      await engine[Symbol.asyncDispose]();
      await together[Symbol.asyncDispose]();
    });

    it("agree that a session which the server revoked is logged out", async () => {
      const { harness } = together;
      await signUp(engine, harness, "joan@example.test");
      await harness.signin.sql("UPDATE sessions SET revoked_at = 1, revoke_reason = 'test'");
      const { authenticated, user } = await json(await session(engine));
      assert.deepEqual({ authenticated, user }, LOGGED_OUT);
    });

    it("sign in through the browser: engine login, from start to GET /account/session", async () => {
      const { harness, engineDirectory } = together;
      harness.newGithubPerson([{ email: "octo@example.test", verified: true, primary: true }]);
      const child = spawn(
        process.execPath,
        [START, "login", "--provider", "github", "--no-browser"],
        {
          env: {
            ...MACHINE,
            ENGINE_DATA_DIR: engineDirectory,
            ENGINE_ACCOUNT_URL: harness.signin.baseUrl,
          },
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      assert.equal((await lines.next()).value, "Sign in at:");
      // A browser follows redirects: provider → callback → the loopback page of the command.
      const page = await fetch((await lines.next()).value ?? "");
      assert.match(await page.text(), /close this window/);
      assert.equal((await lines.next()).value, "Signed in as octo@example.test.");
      const [code] = await once(child, "close");
      assert.equal(code, 0);
      const { authenticated, user } = await json(await session(engine));
      assert.equal(authenticated, true);
      assert.deepEqual(user.connected_providers, ["github"]);
    });

    it("engine login asks the running engine for its server, and lists the providers that there are", async () => {
      const { engineDirectory } = together;
      const env = { ENGINE_DATA_DIR: engineDirectory };
      const logIn = () => cli(env, ["login", "--provider", "nope", "--no-browser"]);
      const { url } = await json(await engine.call("GET", "/account/server"));
      assert.equal(url, together.harness.signin.baseUrl);
      const { error, code } = await logIn();
      assert.equal(error, "This provider is not available. Available: google, github.\n");
      assert.equal(code, 1);
      await engine.end("SIGTERM");
      await using plain = await startEngineProcess({ dataDirectory: engineDirectory });
      assert.deepEqual(await json(await plain.call("GET", "/account/server")), { url: null });
      assert.match((await logIn()).error, /^ENGINE_ACCOUNT_URL: start the engine with/);
    });
  });
});
