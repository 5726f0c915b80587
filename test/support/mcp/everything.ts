import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "../http/fake-server.ts";
import { until } from "../until.ts";

const PROGRAM = fileURLToPath(
  new URL(
    "../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
    import.meta.url,
  ),
);

/** The project's own reference server, in a process, over Streamable HTTP. */
export async function startEverythingServer(): Promise<{ url: string } & AsyncDisposable> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [PROGRAM, "streamableHttp"], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  await until("the reference server", async () => {
    if (child.exitCode !== null) throw new Error("The reference server ended at once.");
    return fetch(`${url}/mcp`).then(
      async (response) => {
        await response.body?.cancel();
        return true;
      },
      () => undefined,
    );
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
