import type { AddressInfo } from "node:net";
import { StartRefused } from "../../shared/failure.ts";
import { bareHost } from "../../shared/host.ts";
import type { Logger } from "../../shared/log.ts";
import { type RunningServer, type ServeOptions, serve } from "../../shared/node/serve.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import type { EngineConfig } from "../config.ts";
import { isLoopbackHost } from "./loopback.ts";
import { describeHolder } from "./port-holder.ts";

type ListenOptions = Omit<ServeOptions, "host" | "port"> & { log: Logger };

/** The port that clients try first. */
export const DEFAULT_PORT = 7717;

const ANY_PORT = 0;

/**
 * Listens on the configured port. Without one it uses the default port or, if that is taken, any free one.
 * @throws StartRefused if the port is taken or forbidden, or the host is reachable from other machines.
 */
export async function listen(
  { host, port }: Pick<EngineConfig, "host" | "port">,
  options: ListenOptions,
): Promise<RunningServer> {
  const server = await listenOn(bareHost(host), port, options);
  const { address } = server.server.address() as AddressInfo;
  if (isLoopbackHost(address)) return server;
  await server[Symbol.asyncDispose]();
  throw new StartRefused(
    "ENGINE_HOST: must be a loopback address; other machines could reach this one.",
  );
}

async function listenOn(
  host: string,
  port: number | undefined,
  { log, ...options }: ListenOptions,
): Promise<RunningServer> {
  try {
    return await serve({ ...options, host, port: port ?? DEFAULT_PORT });
  } catch (error) {
    const code = systemErrorCode(error);
    if (port === undefined && (code === "EADDRINUSE" || code === "EACCES")) {
      const server = await serve({ ...options, host, port: ANY_PORT });
      log.warn({ port: server.port }, await explainOtherPort(host, code, server.port));
      return server;
    }
    throw await refusal({ code, host, port }, error);
  }
}

async function explainOtherPort(host: string, code: string, other: number): Promise<string> {
  const reason =
    code === "EADDRINUSE"
      ? `is taken by ${await describeHolder(host, DEFAULT_PORT)}`
      : "may not be used by this user";
  return `Port ${DEFAULT_PORT} ${reason}, so the engine uses port ${other}.`;
}

async function refusal(
  { code, host, port }: { code: string; host: string; port: number | undefined },
  cause: unknown,
): Promise<StartRefused> {
  if (code === "EADDRINUSE") {
    const holder = await describeHolder(host, port ?? DEFAULT_PORT);
    const message = `ENGINE_PORT: port ${port} is taken by ${holder}. Unset it to let the engine choose.`;
    return new StartRefused(message, { cause });
  }
  if (code === "EACCES") {
    return new StartRefused(`ENGINE_PORT: port ${port} may not be used by this user.`, { cause });
  }
  return new StartRefused(`The engine cannot listen (${code}). Check ENGINE_HOST.`, { cause });
}
