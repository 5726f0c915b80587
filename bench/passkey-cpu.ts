import { randomUUID } from "node:crypto";
import { createClient } from "@libsql/client/web";
import { migrate } from "../shared/migrate.ts";
import { migrations } from "../signin/db/migrations.generated.ts";
import {
  ALGORITHM_NAMES,
  type AlgorithmName,
  encodeCbor,
  SoftAuthenticator,
} from "../test/support/signin/authenticator.ts";
import { startFaultyLibsqlServer } from "../test/support/signin/libsql-server.ts";
import { median } from "./harness.ts";
import { cpuMs } from "./processes.ts";
import { layOutSignin, type ServingWorker } from "./worker-start.ts";

const RP_ID = "127.0.0.1";
const SIGN_INS = 200;
const ROUNDS_RUN = 4;

/** CPU of workerd for one `POST /auth/passkey`, in milliseconds, by the algorithm of the key; libSQL is in another process. */
export async function measurePasskeyCpu(): Promise<Record<AlgorithmName, number>> {
  await using server = await startFaultyLibsqlServer();
  const client = createClient(server);
  await migrate(client, migrations);
  const { url: DATABASE_URL, authToken: DATABASE_AUTH_TOKEN = "" } = server;
  const variables = { DATABASE_URL, DATABASE_AUTH_TOKEN };
  await using laidOut = await layOutSignin(variables);
  await using worker = await laidOut.serve();
  const found: Partial<Record<AlgorithmName, number>> = {};
  for (const algorithm of ALGORITHM_NAMES) {
    const origin = `http://127.0.0.1:${worker.port}`;
    const device = new SoftAuthenticator({ algorithm, origin });
    await insertPasskey(client, device);
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS_RUN; round += 1) rounds.push(await measure(worker, device));
    // The first one warms the isolate up.
    found[algorithm] = median(rounds.slice(1));
  }
  client.close();
  // The loop above has filled it.
  return found as Record<AlgorithmName, number>;
}

async function insertPasskey(client: ReturnType<typeof createClient>, device: SoftAuthenticator) {
  const id = randomUUID();
  device.create({
    rp: { id: RP_ID },
    user: { id: Buffer.from(id).toString("base64url") },
    challenge: "AA",
  });
  const address = `${id}@example.test`;
  await client.execute({
    sql: "INSERT INTO users (id, email, email_norm, created_at, updated_at) VALUES (?, ?, ?, 0, 0)",
    args: [id, address, address],
  });
  await client.execute({
    sql: `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, rp_id, backup_eligible, backed_up,
            transports_json, label, created_at) VALUES (?, ?, ?, ?, 0, ?, 0, 0, '[]', 'bench', 0)`,
    args: [
      randomUUID(),
      id,
      device.credentialId.toString("base64url"),
      encodeCbor(device.coseKey()).toString("base64url"),
      RP_ID,
    ],
  });
}

async function measure({ port, pid }: ServingWorker, device: SoftAuthenticator): Promise<number> {
  const post = (path: string, cookie: string, body: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: {
        Origin: device.origin,
        Cookie: cookie,
        "Content-Type": "application/json",
        // In the environment `test` a loopback client has no limits by address.
        "CF-Connecting-IP": "127.0.0.1",
      },
      body,
    });
  const begun = await post("/auth/passkey/options", "", "{}");
  if (begun.status !== 200) throw new Error(await begun.text());
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  const bodies: string[] = [];
  for (let at = 0; at < SIGN_INS; at += 1) {
    const options = await (await post("/auth/passkey/options", cookie, "{}")).json();
    bodies.push(JSON.stringify({ credential: device.get(options as never), native: true }));
  }
  const before = cpuMs(pid);
  for (const body of bodies) {
    const answer = await post("/auth/passkey", cookie, body);
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
  }
  return (cpuMs(pid) - before) / SIGN_INS;
}
