import { readFile, unlink } from "node:fs/promises";
import { z } from "zod";
import { StartRefused } from "../../shared/failure.ts";
import { writePrivateFile } from "../../shared/node/private-file.ts";
import { systemErrorCode } from "../../shared/system-error.ts";

/** The content of `runtime.json`, by which clients find a running engine (Engine §1, where it is found 2). */
export const RuntimeInfo = z.object({
  version: z.string(),
  pid: z.number(),
  host: z.string(),
  port: z.number(),
  token: z.string(),
  startedAt: z.string(),
});
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;

/**
 * Writes `runtime.json` atomically, for the owner alone. A link in its place is replaced, not followed. Disposal removes
 * the file, unless another engine has written its own since.
 * @throws StartRefused if it cannot be written.
 */
export async function publishRuntimeFile(
  path: string,
  info: RuntimeInfo,
): Promise<AsyncDisposable> {
  try {
    await writePrivateFile(path, `${JSON.stringify(info, null, 2)}\n`);
  } catch (error) {
    throw new StartRefused(`${path} cannot be written (${systemErrorCode(error)}).`, {
      cause: error,
    });
  }
  return { [Symbol.asyncDispose]: () => removeOwn(path, info) };
}

/** The published content, or undefined if it is missing or unreadable. */
export async function readRuntimeFile(path: string): Promise<RuntimeInfo | undefined> {
  try {
    return RuntimeInfo.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

async function removeOwn(path: string, { pid, token }: RuntimeInfo): Promise<void> {
  const found = await readRuntimeFile(path);
  if (found?.pid === pid && found.token === token) await unlink(path);
}
