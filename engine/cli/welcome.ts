import { toPrintable } from "../../shared/cli/printable.ts";
import { listCheckedModels } from "../checks/checked-store.ts";
import { createClient, type EngineClient } from "../client/client.ts";
import type { OnListening } from "../run.ts";
import { VERSION } from "../version.ts";
import { WELCOME_MODELS_MAX } from "./limits.ts";
import { describeShown, showInBrowser } from "./show-in-browser.ts";
import { listenForKeys } from "./welcome-keys.ts";

/**
 * Says on a terminal what runs and what to do next, then which models there are. From then on `o` opens the console where the
 * input is a terminal, too.
 */
export async function showWelcome(
  { url, token, dataDirectory, db, console }: Parameters<OnListening>[0],
  { stdin, stdout }: Pick<NodeJS.Process, "stdin" | "stdout">,
): Promise<void> {
  const write = (text: string) => stdout.write(text);
  // It lives as long as the process, for the keys.
  const engine = createClient({ baseUrl: url, token });
  const hasKeys = stdin.isTTY === true;
  write(`
  Roundhouse ${VERSION}
  Address  ${url}
  Data     ${dataDirectory}

  Next, in another terminal:
    npm run engine -- setup          connects a model, indexes a folder, asks a first question
    npm run engine -- chat "hello"   asks at once
    npm run engine -- --help         lists all commands
${hasKeys && console ? "  Press o to open the console in your browser. " : "  "}Ctrl-C stops the engine.

`);
  if (hasKeys) {
    listenForKeys(stdin, {
      open: () => (console ? showConsole(engine, write) : Promise.resolve()),
      stop: () => process.kill(process.pid, "SIGINT"),
    });
  }
  // Read from the database: a request for them would create the key of credentials, or ask the keychain for it.
  const [configured, servers] = await Promise.all([
    listCheckedModels(db, WELCOME_MODELS_MAX + 1),
    engine.models.discover(),
  ]);
  const known = new Set(configured.map(({ model }) => model));
  const names = [
    ...configured.map(({ provider, model }) => `${model} (${provider})`),
    ...servers.flatMap(({ models, baseUrl }) =>
      models.filter((model) => !known.has(model)).map((model) => `${model} (found at ${baseUrl})`),
    ),
  ];
  write(toPrintable(`  Models   ${listed(names)}\n\n`));
}

/** The link is for this terminal and the browser alone: no log has it. */
async function showConsole(engine: EngineClient, write: (text: string) => void): Promise<void> {
  try {
    const { url } = await engine.console.createLink();
    write(`  ${describeShown(await showInBrowser(url))}\n  ${url}\n`);
  } catch (error) {
    write(`  The console cannot be opened: ${error instanceof Error ? error.message : error}\n`);
  }
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none yet, so echo answers. `setup` connects one.";
  const more = names.length - WELCOME_MODELS_MAX;
  const shown = names.slice(0, WELCOME_MODELS_MAX).join(", ");
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
