import type { CallOptions, EngineClient } from "./client.ts";

/** The setting, without tag and client, whose value is the id of the model that the engine uses if nothing else names one. */
export const DEFAULT_MODEL_KEY = "models.default";
/** The id of the model that answers with the user's own words. */
export const ECHO = "echo";

type Settings = Pick<EngineClient, "settings">;
type Models = Pick<EngineClient, "settings" | "models">;

/** The default model, by the id of its configuration; undefined if none is set. @throws EngineError */
export async function readDefaultModel(
  { settings }: Settings,
  call?: CallOptions,
): Promise<string | undefined> {
  const found = await settings.list({ key: DEFAULT_MODEL_KEY }, call);
  return found.find(({ tag, client }) => !tag && !client)?.value || undefined;
}

/** Makes a configured model the default. @throws EngineError */
export async function writeDefaultModel(
  { settings }: Settings,
  id: string,
  call?: CallOptions,
): Promise<void> {
  await settings.update([{ key: DEFAULT_MODEL_KEY, value: id }], call);
}

/** Makes a new configuration the default if none is set; says whether it did. @throws EngineError */
export async function adoptDefaultModel(engine: Settings, id: string, call?: CallOptions) {
  if ((await readDefaultModel(engine, call)) !== undefined) return false;
  await writeDefaultModel(engine, id, call);
  return true;
}

/** The model of a turn that nothing names one for. */
export interface FallbackModel {
  /** The id of its configuration, which may be gone if it is set. */
  id: string;
  /** The name to show. */
  name: string;
  /** Whether the engine takes it by itself; else a client names it, since the engine would take echo. */
  isSet: boolean;
}

/** The default model if one is set, else the oldest configured one; undefined leaves echo. @throws EngineError */
export async function findFallbackModel(
  engine: Models,
  call?: CallOptions,
): Promise<FallbackModel | undefined> {
  const [id, models] = await Promise.all([
    readDefaultModel(engine, call),
    engine.models.list(call),
  ]);
  if (id !== undefined) {
    return { id, name: models.find((model) => model.id === id)?.name ?? id, isSet: true };
  }
  const oldest = models.find((model) => model.id !== ECHO);
  return oldest && { id: oldest.id, name: oldest.name, isSet: false };
}
