import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import type { D1Target } from "./d1-command-client.ts";

interface D1Options {
  d1?: string;
  local?: boolean;
  remote?: boolean;
  config?: string;
}

/** A command that works on the embedded database, a libSQL server or D1. */
export function onDatabase(command: Command): Command {
  return command
    .option("--d1 <name>", "a D1 database in wrangler's configuration, by name or binding")
    .option("--local", "with --d1: the database of `wrangler dev` on this machine (the default)")
    .option("--remote", "with --d1: the database at Cloudflare")
    .option(
      "--config <file>",
      "with --d1: the configuration file (default: that of the current folder)",
    );
}

/** The D1 database of such a command's options, if they name one. @throws CommandFailed if they contradict */
export function toD1Target({ d1: name, local, remote, config }: D1Options): D1Target | undefined {
  if (local && remote) throw new CommandFailed("--local and --remote cannot be used together.");
  if (name !== undefined) return { name, isRemote: remote === true, config };
  if (!local && !remote && config === undefined) return undefined;
  throw new CommandFailed("--local, --remote and --config need --d1 NAME.");
}
