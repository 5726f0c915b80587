import type { AddressInfo } from "node:net";
import { type RunningServer, type ServeOptions, serve } from "../../shared/node/serve.ts";
import type { EngineConfig } from "../config.ts";
import { bareHost, isLoopbackHost } from "./loopback.ts";
import { codeOf, StartRefused } from "./start-refused.ts";

/** Where clients look first. */
export const DEFAULT_PORT = 7717;

const ANY_PORT = 0;

/**
 * Listens on the port that was asked for; where none was, on the default one or, where that is taken, on any free one.
 * @throws StartRefused where the port cannot be had, or the host turns out not to be this machine alone.
 */
export async function listen(
  { host, port }: Pick<EngineConfig, "host" | "port">,
  options: Omit<ServeOptions, "host" | "port">,
): Promise<RunningServer> {
  const server = await listenOn(bareHost(host), port, options);
  const { address } = server.server.address() as AddressInfo;
  if (isLoopbackHost(address)) return server;
  await server[Symbol.asyncDispose]();
  throw new StartRefused("ENGINE_HOST: means an address that others can reach on this machine.");
}

async function listenOn(
  host: string,
  port: number | undefined,
  options: Omit<ServeOptions, "host" | "port">,
): Promise<RunningServer> {
  try {
    return await serve({ ...options, host, port: port ?? DEFAULT_PORT });
  } catch (error) {
    const code = codeOf(error);
    if (port === undefined && (code === "EADDRINUSE" || code === "EACCES")) {
      return serve({ ...options, host, port: ANY_PORT });
    }
    throw refusal(code, port, error);
  }
}

function refusal(code: string, port: number | undefined, cause: unknown): StartRefused {
  if (code === "EADDRINUSE") {
    return new StartRefused(
      `ENGINE_PORT: port ${port} is taken. Unset it to let the engine choose.`,
      {
        cause,
      },
    );
  }
  if (code === "EACCES") {
    return new StartRefused(`ENGINE_PORT: port ${port} may not be used by this user.`, { cause });
  }
  return new StartRefused(`The engine cannot listen (${code}). Check ENGINE_HOST.`, { cause });
}
