import type { EngineClient } from "./client.ts";

/** The setting, without tag and client, that switches titles by a model off if its value is `off`. */
export const AUTO_TITLES_KEY = "titles.auto";

/**
 * Has the model of a thread give it a title, unless the setting says otherwise: for clients, after the first answer of a thread.
 * Never rejects: without a title by a model, that of the question stays.
 */
export async function nameNewThread(
  { settings, threads }: Pick<EngineClient, "settings" | "threads">,
  threadUuid: string,
  call?: { signal?: AbortSignal },
): Promise<void> {
  try {
    const found = await settings.list({ key: AUTO_TITLES_KEY }, call);
    if (found.some(({ tag, client, value }) => !tag && !client && value === "off")) return;
    await threads.createTitle(threadUuid, call);
  } catch {
    // The engine has logged why a model gave none. That a person has named the thread meanwhile is no failure.
  }
}
