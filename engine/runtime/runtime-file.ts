import { type FileHandle, open, readFile, rename, unlink } from "node:fs/promises";
import { z } from "zod";
import { randomToken } from "../../shared/random.ts";
import { codeOf, StartRefused } from "./start-refused.ts";

/** How clients find a running engine (decisions 2.1). */
export const RuntimeInfo = z.object({
  version: z.string(),
  pid: z.number(),
  host: z.string(),
  port: z.number(),
  token: z.string(),
  startedAt: z.string(),
});
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;

const PRIVATE = 0o600;
const SUFFIX_BYTES = 6;

/**
 * Writes `runtime.json`, all at once and for the owner alone. A link in its place is replaced, not followed. Disposing
 * removes it, unless another engine has written its own since.
 * @throws StartRefused where it cannot be written.
 */
export async function publishRuntimeFile(
  path: string,
  info: RuntimeInfo,
): Promise<AsyncDisposable> {
  const temporary = `${path}.${randomToken(SUFFIX_BYTES)}.tmp`;
  try {
    await writeNew(temporary, `${JSON.stringify(info, null, 2)}\n`);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {
      // It may never have been made; the first error is the one to tell.
    });
    throw new StartRefused(`${path} cannot be written (${codeOf(error)}).`, { cause: error });
  }
  return { [Symbol.asyncDispose]: () => removeOwn(path, info) };
}

/** What another engine published, or undefined where there is nothing that can be read. */
export async function readRuntimeFile(path: string): Promise<RuntimeInfo | undefined> {
  try {
    return RuntimeInfo.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

async function writeNew(path: string, content: string): Promise<void> {
  const file: FileHandle = await open(path, "wx", PRIVATE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeOwn(path: string, { pid, token }: RuntimeInfo): Promise<void> {
  const found = await readRuntimeFile(path);
  if (found?.pid === pid && found.token === token) await unlink(path);
}
