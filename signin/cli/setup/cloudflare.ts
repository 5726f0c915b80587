import { z } from "zod";
import { CommandFailed } from "../../../shared/cli/output.ts";
import type { Environment } from "../../../shared/env.ts";
import { readBytes } from "../../../shared/http/json-body.ts";
import { parseJson } from "../../../shared/json.ts";
import { PROVIDER_BODY_BYTES_MAX, PROVIDER_TIMEOUT_MS } from "../../limits.ts";
import { parseWranglerJson, reasonOfWrangler, type Wrangler } from "../wrangler.ts";

/** An account at Cloudflare, as wrangler sees it. */
export interface Cloudflare {
  wrangler: Wrangler;
  env: Environment;
  fetch: typeof fetch;
}

const Login = z.object({
  loggedIn: z.boolean(),
  accounts: z.array(z.object({ name: z.string() })).default([]),
});
const Credentials = z.object({ type: z.string(), token: z.string() });
const Zones = z.object({ success: z.literal(true), result: z.array(z.object({})) });
const Databases = z.array(z.object({ name: z.string(), uuid: z.string() }));
const Secrets = z.array(z.object({ name: z.string() }));

const LOGIN = ["whoami", "--json"];
const NO_LOGIN = /not (logged in|authenticated)|CLOUDFLARE_API_TOKEN/i;
const NO_WORKER = /" not found|code: 10007/;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/;

/** Who deploys. @throws CommandFailed if wrangler is not logged in, or would have to choose an account */
export async function requireLogin({ wrangler, env }: Cloudflare): Promise<string> {
  const { code, out, error } = await wrangler.run(LOGIN);
  const login = Login.safeParse(parseWranglerJson(out)).data;
  if (login?.loggedIn === false || NO_LOGIN.test(out + error)) {
    throw new CommandFailed(
      "wrangler is not logged in to Cloudflare: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.",
    );
  }
  if (code !== 0) throw new CommandFailed(reasonOfWrangler({ out, error }));
  const names = login?.accounts.map(({ name }) => name) ?? [];
  if (names.length > 1 && !env.CLOUDFLARE_ACCOUNT_ID?.trim()) {
    throw new CommandFailed(
      `The login has ${names.length} accounts (${names.join(", ")}): set CLOUDFLARE_ACCOUNT_ID to one of them.`,
    );
  }
  return names[0] ?? "logged in";
}

/**
 * The zone of a host. Undefined if the login may not look: the deployment says it then.
 * @throws CommandFailed if the account has none
 */
export async function requireZone(
  { wrangler, env, fetch }: Cloudflare,
  host: string,
): Promise<string | undefined> {
  const { out } = await wrangler.run(["auth", "token", "--json"]);
  const credentials = Credentials.safeParse(parseWranglerJson(out)).data;
  if (!credentials) return undefined;
  const count = async (query: string) => {
    const base = env.CLOUDFLARE_API_BASE_URL?.trim() || "https://api.cloudflare.com/client/v4";
    const response = await fetch(`${base}/zones?${query}`, {
      headers: { authorization: `Bearer ${credentials.token}` },
      redirect: "error",
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
    });
    const text = new TextDecoder().decode(await readBytes(response, PROVIDER_BODY_BYTES_MAX));
    return Zones.parse(parseJson(text)).result.length;
  };
  try {
    const labels = host.split(".");
    for (let at = 0; at < labels.length - 1; at += 1) {
      const name = labels.slice(at).join(".");
      if ((await count(`name=${encodeURIComponent(name)}`)) > 0) return name;
    }
    // A token that may not list zones sees none at all.
    if (credentials.type !== "oauth" && (await count("per_page=5")) === 0) return undefined;
  } catch {
    return undefined;
  }
  throw new CommandFailed(
    `No zone of your Cloudflare account has ${host}: add its domain at dash.cloudflare.com, or choose another --domain.`,
  );
}

/** The id of a D1 database; undefined if there is none of this name. */
export async function findD1({ wrangler }: Cloudflare, name: string): Promise<string | undefined> {
  const result = await wrangler.run(["d1", "list", "--json"]);
  const databases = Databases.safeParse(parseWranglerJson(result.out));
  if (result.code !== 0 || !databases.success) throw new CommandFailed(reasonOfWrangler(result));
  return databases.data.find((each) => each.name === name)?.uuid;
}

/** Creates a D1 database, and returns its id. */
export async function createD1(cloudflare: Cloudflare, name: string): Promise<string> {
  const result = await cloudflare.wrangler.run(["d1", "create", name]);
  if (result.code !== 0) throw new CommandFailed(reasonOfWrangler(result));
  const id = UUID.exec(result.out)?.[0] ?? (await findD1(cloudflare, name));
  if (id === undefined) throw new CommandFailed(`wrangler did not print the ID of ${name}.`);
  return id;
}

/** The names of a Worker's secrets; none if there is no such Worker. Everything else is a failure: a secret is never replaced. */
export async function listSecrets({ wrangler }: Cloudflare, worker: string): Promise<string[]> {
  const result = await wrangler.run(["secret", "list", "--name", worker, "--format", "json"]);
  if (result.code !== 0 && NO_WORKER.test(result.out + result.error)) return [];
  const secrets = Secrets.safeParse(parseWranglerJson(result.out));
  if (result.code !== 0 || !secrets.success) throw new CommandFailed(reasonOfWrangler(result));
  return secrets.data.map(({ name }) => name);
}
