import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "../../../shared/env.ts";
import type { Wrangler } from "../../../signin/cli/wrangler.ts";
import { TestClock } from "../time.ts";

const FAKE = join(import.meta.dirname, "../../whole/programs/fake-wrangler.mjs");
// As any: it is JavaScript, because it also runs under a name without an extension.
const { runFakeWrangler } = await import(FAKE);

/** What the fake wrangler knows of Cloudflare. */
interface AccountState {
  login: boolean;
  accounts: string[];
  /** Ids by name. */
  databases: Record<string, string>;
  /** Whether there is a Worker. */
  exists: boolean;
  secrets: string[];
  deployments: number;
  /** The command that fails, such as `deploy`. */
  fails: string;
}

/** A call of wrangler. */
interface WranglerCall {
  args: string[];
  input: string;
  env: Record<string, string>;
}

/** An account at Cloudflare behind a fake wrangler, and a folder to deploy from. */
export interface CloudflareAccount extends AsyncDisposable {
  env: Environment;
  folder: string;
  /** The fake wrangler within this process: a start takes longer than what most commands do with it. */
  wrangler: Wrangler;
  /** wrangler.production.toml. */
  file: string;
  zones: string[];
  /** Statuses of `/ready`, one a request; the last one stays. */
  ready: number[];
  /** Answers Cloudflare's API and `/ready`. */
  fetch: typeof fetch;
  /** Time passes while a timer waits. */
  time: TestClock;
  change(state: Partial<AccountState>): Promise<void>;
  state(): Promise<AccountState>;
  calls(): Promise<WranglerCall[]>;
}

const NEW: AccountState = {
  login: true,
  accounts: ["Example"],
  databases: {},
  exists: false,
  secrets: [],
  deployments: 0,
  fails: "",
};

export async function openCloudflareAccount(): Promise<CloudflareAccount> {
  const root = await mkdtemp(join(tmpdir(), "roundhouse-setup-"));
  const [bin, folder] = [join(root, "bin"), join(root, "project")];
  await mkdir(bin);
  await mkdir(folder);
  // `copyFile` keeps the mode: the file can be executed.
  await copyFile(FAKE, join(bin, "wrangler"));
  await writeFile(join(bin, "package.json"), '{"type":"module"}');
  const accountFile = join(bin, "account.json");
  const change = async (state: Partial<AccountState>) => {
    const known = await readFile(accountFile, "utf8").catch(() => JSON.stringify(NEW));
    await writeFile(accountFile, JSON.stringify({ ...JSON.parse(known), ...state }));
  };
  await change({});
  const account: CloudflareAccount = {
    env: { PATH: [bin, process.env.PATH].join(delimiter), HOME: root },
    folder,
    wrangler: {
      run: async (args, { input = "" } = {}) => runFakeWrangler(bin, { args, input, env: {} }),
    },
    file: join(folder, "wrangler.production.toml"),
    zones: ["example.test"],
    ready: [200],
    fetch: async (input) => answer(account, new URL(String(input))),
    time: new PassingClock(),
    change,
    state: async () => JSON.parse(await readFile(accountFile, "utf8")),
    async calls() {
      const text = await readFile(join(bin, "calls.jsonl"), "utf8").catch(() => "");
      return text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
  return account;
}

function answer({ zones, ready }: CloudflareAccount, url: URL): Response {
  if (url.pathname === "/ready") {
    const status = ready.length > 1 ? ready.shift() : ready[0];
    return new Response("{}", { status: status ?? 200 });
  }
  const name = url.searchParams.get("name");
  const result = zones.filter((zone) => name === null || zone === name).map((id) => ({ id }));
  return Response.json({ success: true, result });
}

class PassingClock extends TestClock {
  override after(delayMs: number, run: () => void): () => void {
    const cancel = super.after(delayMs, run);
    queueMicrotask(() => this.advance(delayMs));
    return cancel;
  }
}
