import { engine } from "../session.ts";
import { isAbsent } from "../ui/load.tsx";
import type { Relatives } from "./versions.ts";

/** @throws EngineError */
export async function readRelatives(
  uuid: string,
  call: { signal: AbortSignal },
): Promise<Relatives> {
  const [origin, forks] = await Promise.all([
    engine.threads.getOrigin(uuid, call).catch(undefinedIfAbsent),
    engine.threads.listForks(uuid, call),
  ]);
  const forksOfOrigin = origin ? await engine.threads.listForks(origin.threadUuid, call) : [];
  return { origin, forks, forksOfOrigin };
}

/** A chat and all that hold versions of its messages. @throws EngineError */
export async function listVersions(uuid: string): Promise<string[]> {
  let first = uuid;
  for (;;) {
    const origin = await engine.threads.getOrigin(first).catch(undefinedIfAbsent);
    if (!origin?.replacedMessageUuid) break;
    first = origin.threadUuid;
  }
  const found = [first];
  // The list grows while it is walked.
  for (const thread of found) {
    const forks = await engine.threads.listForks(thread);
    found.push(...forks.filter((it) => it.replacedMessageUuid).map((it) => it.threadUuid));
  }
  return found;
}

function undefinedIfAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}
