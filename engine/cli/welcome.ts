import { toPrintable } from "../../shared/cli/printable.ts";
import { createClient } from "../client/client.ts";
import type { OnListening } from "../run.ts";
import { VERSION } from "../version.ts";
import { listCheckedModels } from "./doctor/doctor-store.ts";
import { WELCOME_MODELS_MAX } from "./limits.ts";

/** Says on a terminal what runs and what to do next, then which models there are. */
export async function showWelcome(
  { url, token, dataDirectory, db }: Parameters<OnListening>[0],
  write: (text: string) => void,
): Promise<void> {
  write(`
  Roundhouse ${VERSION}
  Address  ${url}
  Data     ${dataDirectory}

  Next, in another terminal:
    npm run engine -- setup          connects a model, indexes a folder, asks a first question
    npm run engine -- chat "hello"   asks at once
    npm run engine -- --help         lists all commands
  Ctrl-C stops the engine.

`);
  await using engine = createClient({ baseUrl: url, token });
  // Read from the database: a request for them would create the key of credentials, or ask the keychain for it.
  const [configured, servers] = await Promise.all([
    listCheckedModels(db, WELCOME_MODELS_MAX + 1),
    engine.models.discover(),
  ]);
  const names = [
    ...configured.map(({ provider, model }) => `${model} (${provider})`),
    ...servers.flatMap(({ models, baseUrl }) =>
      models.map((model) => `${model} (found at ${baseUrl})`),
    ),
  ];
  write(toPrintable(`  Models   ${listed(names)}\n\n`));
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none yet: echo answers. `setup` connects one.";
  const more = names.length - WELCOME_MODELS_MAX;
  const shown = names.slice(0, WELCOME_MODELS_MAX).join(", ");
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
