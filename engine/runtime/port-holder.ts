import { get } from "node:http";
import { z } from "zod";
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

function readHealth(host: string, port: number): Promise<string> {
  const signal = AbortSignal.timeout(PORT_HOLDER_WAIT_MS);
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: "/api/v1/health", signal, agent: false });
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("error", reject);
      response.on("end", () => resolve(text));
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > PORT_HOLDER_ANSWER_BYTES_MAX) request.destroy(new Error("too long"));
      });
    });
  });
}
