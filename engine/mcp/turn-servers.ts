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

interface Entry {
  choice: ServerChoice;
  server: TurnServer | undefined;
  settled: Promise<void>;
}

/** Connects the servers side by side; they stay open until the turn ends. */
export function connectServers(
  timers: Timers,
  choices: readonly ServerChoice[],
  turn: AbortSignal,
): TurnServers {
  const end = new AbortController();
  const signal = AbortSignal.any([turn, end.signal]);
  const entries = choices.map((choice) => toEntry(choice, signal));
  return {
    async ready() {
      await untilAborted(turn, Promise.all(entries.map((entry) => waitFor(timers, entry))));
    },
    tools: () => entries.flatMap(({ server }) => server?.tools(turn) ?? []),
    away: () => entries.flatMap(({ choice, server }) => (server ? [] : choice.name)),
    async [Symbol.asyncDispose]() {
      end.abort(new Error("The turn has ended."));
      await Promise.all(
        entries.map(async (entry) => {
          await entry.settled;
          await entry.server?.[Symbol.asyncDispose]();
        }),
      );
    },
  };
}

function toEntry(choice: ServerChoice, signal: AbortSignal): Entry {
  const entry: Entry = { choice, server: undefined, settled: Promise.resolve() };
  entry.settled = choice.connect(signal).then((server) => {
    entry.server = server;
  });
  return entry;
}

function waitFor(timers: Timers, { choice, settled }: Entry): Promise<void> {
  return new Promise((resolve) => {
    const stopTimer = timers.after(choice.waitMs, () => {
      choice.onLate();
      resolve();
    });
    void settled.then(() => {
      stopTimer();
      resolve();
    });
  });
}
