import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { thisMachine } from "../../shared/node/data-directory.ts";
import { makeFolder } from "../../shared/node/private-directory.ts";
import { writePrivateFile } from "../../shared/node/private-file.ts";
import type { CommandContext } from "./context.ts";
import { createServiceUnit, type ServiceUnit } from "./service-unit.ts";

interface ServiceOptions {
  dryRun?: boolean;
}

/** `service install`, `service uninstall`, `service status`. */
export function addServiceCommands(program: Command, context: CommandContext): void {
  const service = program
    .command("service")
    .description(
      "Start the engine at login, with a systemd user unit, a launchd agent or a Windows task.",
    );
  service
    .command("install")
    .description("Install and start the service with the current ENGINE_… variables.")
    .option("--dry-run", "print the file and the commands without running them")
    .action((options: ServiceOptions) => runInstall(context, options));
  service
    .command("uninstall")
    .description("Stop and remove the service. Your data stays.")
    .option("--dry-run", "print the commands without running them")
    .action((options: ServiceOptions) => runUninstall(context, options));
  service
    .command("status")
    .description("Show whether the service is installed and active. Exits with 1 if not.")
    .action(() => runStatus(context));
}

function unitOf({ env, command }: CommandContext): ServiceUnit {
  const { uid: userId } = userInfo();
  return createServiceUnit({ machine: thisMachine(), command, env, userId });
}

async function runInstall(context: CommandContext, { dryRun }: ServiceOptions): Promise<void> {
  // Refuses variables with which the engine would not start.
  context.config();
  const unit = unitOf(context);
  const { path, content, install } = unit;
  if (dryRun) {
    const commands = install.map((command) => `# ${command.join(" ")}\n`).join("");
    context.out().entry({ path, content, commands: install }, `# ${path}\n${content}\n${commands}`);
    return;
  }
  await makeFolder(dirname(path));
  const isNew = !existsSync(path);
  await writePrivateFile(path, content);
  try {
    for (const command of install) await run(command);
  } catch (error) {
    if (isNew) await rm(path, { force: true });
    throw error;
  }
  context.out().entry({ installed: path }, `The engine starts at each login: ${path}`);
}

async function runUninstall(context: CommandContext, { dryRun }: ServiceOptions): Promise<void> {
  const { path, uninstall } = unitOf(context);
  if (dryRun) {
    const text = [...uninstall, ["rm", path]].map((command) => `# ${command.join(" ")}`).join("\n");
    context.out().entry({ path, commands: uninstall }, text);
    return;
  }
  if (!existsSync(path)) throw new CommandFailed("The service is not installed.");
  for (const command of uninstall) await run(command);
  await rm(path);
  context
    .out()
    .entry({ removed: path }, `The engine no longer starts at login: ${path} is removed.`);
}

async function runStatus(context: CommandContext): Promise<void> {
  const { path, status } = unitOf(context);
  const installed = existsSync(path);
  const active =
    installed &&
    (await run(status).then(
      () => true,
      () => false,
    ));
  const state = active ? "It is running" : "It is not running";
  context.out().entry({ installed, active, file: path }, `${state}. Its file is ${path}.`);
  if (!installed) throw new CommandFailed("The service is not installed.");
  if (!active) throw new CommandFailed("The service is installed but not running.");
}

/** Runs a command of the system. @throws CommandFailed with what it said */
async function run([program = "", ...args]: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(0, 1_000);
  });
  const code = await once(child, "close").then(
    ([code]) => code,
    () => -1,
  );
  if (code === 0) return;
  const reason = code === -1 ? "it is not installed" : said.trim() || `it ended with ${code}`;
  throw new CommandFailed(`\`${program} ${args.join(" ")}\` failed: ${reason}`);
}
