import { join } from "node:path";
import { CommandFailed } from "../../shared/cli/output.ts";
import type { Environment } from "../../shared/env.ts";
import type { Machine } from "../../shared/node/data-directory.ts";

/** How the system starts the engine by itself when its user logs in. */
export interface ServiceUnit {
  /** The file that describes it, and its content. */
  path: string;
  content: string;
  /** Commands, each with its arguments. */
  install: readonly (readonly string[])[];
  uninstall: readonly (readonly string[])[];
  status: readonly string[];
}

interface ServiceParts {
  machine: Machine;
  /** The program that starts the engine, and its arguments. */
  command: readonly string[];
  env: Environment;
  /** The number of the user; launchd needs it. */
  userId: number;
}

const NAME = "roundhouse";
const LABEL = "org.roundhouse.engine";

/** A systemd user unit, a launchd agent or a Windows task. @throws CommandFailed on other systems */
export function createServiceUnit(parts: ServiceParts): ServiceUnit {
  const { platform } = parts.machine;
  if (platform === "linux") return systemdUnit(parts);
  if (platform === "darwin") return launchAgent(parts);
  if (platform === "win32") return windowsTask(parts);
  throw new CommandFailed(`\`service\` does not support ${platform}. Run \`npm start\` at login.`);
}

/** The engine's variables, which it shall have then, too. */
function ownVariables(env: Environment): [name: string, value: string][] {
  const own = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    name.startsWith("ENGINE_") && value ? [[name, value]] : [],
  );
  const broken = own.find(([, value]) => /[\0-\x1f\x7f]/.test(value));
  if (broken) throw new CommandFailed(`${broken[0]}: must not have control characters.`);
  return own;
}

function systemdUnit({ machine, command, env }: ServiceParts): ServiceUnit {
  const path = join(
    env.XDG_CONFIG_HOME || join(machine.home, ".config"),
    "systemd/user",
    `${NAME}.service`,
  );
  const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
  const start = command.map((part) => quote(part).replaceAll("$", "$$$$")).join(" ");
  const variables = ownVariables(env).map((pair) => `Environment=${quote(pair.join("="))}\n`);
  const systemctl = (...args: string[]) => ["systemctl", "--user", ...args];
  return {
    path,
    content: `[Unit]
Description=Roundhouse engine

[Service]
ExecStart=${start}
${variables.join("")}Restart=on-failure
RestartSec=5
TimeoutStopSec=15

[Install]
WantedBy=default.target
`,
    install: [systemctl("daemon-reload"), systemctl("enable", "--now", `${NAME}.service`)],
    uninstall: [systemctl("disable", "--now", `${NAME}.service`)],
    status: systemctl("is-active", `${NAME}.service`),
  };
}

function launchAgent({ machine, command, env, userId }: ServiceParts): ServiceUnit {
  const path = join(machine.home, "Library/LaunchAgents", `${LABEL}.plist`);
  const string = (text: string) => `<string>${escapeXml(text)}</string>`;
  const variables = ownVariables(env).map(([name, value]) => `<key>${name}</key>${string(value)}`);
  return {
    path,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>Label</key>${string(LABEL)}
  <key>ProgramArguments</key><array>${command.map(string).join("")}</array>
  <key>EnvironmentVariables</key><dict>${variables.join("")}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict></plist>
`,
    install: [["launchctl", "bootstrap", `gui/${userId}`, path]],
    uninstall: [["launchctl", "bootout", `gui/${userId}/${LABEL}`]],
    status: ["launchctl", "print", `gui/${userId}/${LABEL}`],
  };
}

function windowsTask({ machine, command, env }: ServiceParts): ServiceUnit {
  const local = env.LOCALAPPDATA || join(machine.home, "AppData", "Local");
  const path = join(local, NAME, "task.xml");
  const variables = ownVariables(env);
  const texts = [...command, ...variables.map(([, value]) => value)];
  if (texts.some((text) => /["%&|<>^!]/.test(text))) {
    throw new CommandFailed(
      "A path or variable has a character that a Windows task cannot pass on.",
    );
  }
  const sets = variables.map(([name, value]) => `set "${name}=${value}"&& `).join("");
  const line = `/d /c "${sets}${command.map((part) => `"${part}"`).join(" ")}"`;
  return {
    path,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings><ExecutionTimeLimit>PT0S</ExecutionTimeLimit><MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy></Settings>
  <Actions><Exec><Command>cmd.exe</Command><Arguments>${escapeXml(line)}</Arguments></Exec></Actions>
</Task>
`,
    install: [
      ["schtasks", "/Create", "/F", "/TN", NAME, "/XML", path],
      ["schtasks", "/Run", "/TN", NAME],
    ],
    uninstall: [["schtasks", "/Delete", "/F", "/TN", NAME]],
    status: ["schtasks", "/Query", "/TN", NAME],
  };
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
