import { z } from "zod";
import { fromUtf8 } from "../../shared/bytes.ts";
import { urlHost } from "../../shared/host.ts";
import { readBytes } from "../../shared/http/json-body.ts";
import { parseJson } from "../../shared/json.ts";
import { PORT_HOLDER_ANSWER_BYTES_MAX, PORT_HOLDER_WAIT_MS } from "../limits.ts";

const EngineHealth = z.object({
  status: z.literal("ok"),
  version: z.string().regex(/^[\w.+-]{1,40}$/),
});

/** Describes the program that listens on a port of this machine, by its health check. */
export async function describeHolder(host: string, port: number): Promise<string> {
  const text = await readHealth(host, port).catch(() => "");
  const health = EngineHealth.safeParse(parseJson(text));
  return health.success ? `another engine (version ${health.data.version})` : "another program";
}

async function readHealth(host: string, port: number): Promise<string> {
  const response = await fetch(`http://${urlHost(host)}:${port}/api/v1/health`, {
    redirect: "error",
    signal: AbortSignal.timeout(PORT_HOLDER_WAIT_MS),
  });
  return fromUtf8((await readBytes(response, PORT_HOLDER_ANSWER_BYTES_MAX)) ?? new Uint8Array());
}
