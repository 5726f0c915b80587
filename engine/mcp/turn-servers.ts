import type { Timers } from "../../shared/clock.ts";
import type { BuiltinTool } from "../tools/builtin/builtin.ts";
import { untilAborted } from "../until-aborted.ts";
import type { TurnServer } from "./turn-server.ts";

/** The MCP servers of one turn. Disposing ends their sessions. */
export interface TurnServers extends AsyncDisposable {
  /**
   * Resolves once the first step may begin: each server is connected, has failed, or had its time.
   * @throws the reason of the turn's signal
   */
  ready(): Promise<void>;
  /** The tools of the servers that are connected now. A late one offers its tools from the next step on. */
  tools(): readonly BuiltinTool[];
  /** The names of the servers that are not connected now. */
  away(): readonly string[];
}

/** A server to connect. */
export interface ServerChoice {
  name: string;
  /** How long the first step may wait for it. */
  waitMs: number;
  /** Called where the first step did not wait any longer. */
  onLate(): void;
  /** Undefined if it could not be connected; never rejects. */
  connect(signal: AbortSignal): Promise<TurnServer | undefined>;
}

/** Connects the servers side by side; they stay open until the turn ends. */
export function connectServers(
  timers: Timers,
  choices: readonly ServerChoice[],
  turn: AbortSignal,
): TurnServers {
  const end = new AbortController();
  const signal = AbortSignal.any([turn, end.signal]);
  const connected = new Map<ServerChoice, TurnServer>();
  const connecting = choices.map((choice) => ({ choice, settled: connect(choice) }));
  async function connect(choice: ServerChoice): Promise<void> {
    const server = await choice.connect(signal);
    if (server) connected.set(choice, server);
  }
  return {
    async ready() {
      const waits = connecting.map(({ choice, settled }) => waitFor(timers, choice, settled));
      await untilAborted(turn, Promise.all(waits));
    },
    tools: () => choices.flatMap((choice) => connected.get(choice)?.tools(turn) ?? []),
    away: () => choices.flatMap((choice) => (connected.has(choice) ? [] : choice.name)),
    async [Symbol.asyncDispose]() {
      end.abort(new Error("The turn has ended."));
      await Promise.all(connecting.map(({ settled }) => settled));
      for (const server of connected.values()) await server[Symbol.asyncDispose]();
    },
  };
}

async function waitFor(
  timers: Timers,
  { waitMs, onLate }: ServerChoice,
  settled: Promise<void>,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const stopTimer = timers.after(waitMs, () => {
    onLate();
    late.resolve();
  });
  await Promise.race([settled, late.promise]);
  stopTimer();
}
