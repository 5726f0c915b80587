import { systemErrorCode } from "../../../shared/system-error.ts";
import { EngineError } from "../../errors.ts";
import { ToolFailure, toRefusal } from "./builtin.ts";

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: "There is nothing at this path.",
  ENOTDIR: "Something on this path is not a folder.",
  EISDIR: "The path is a folder, not a file.",
  EEXIST: "Something already exists at this path.",
  ENOTEMPTY: "The folder is not empty.",
  EACCES: "The engine's account may not do this.",
  EPERM: "The engine's account may not do this.",
  EROFS: "The file system cannot be written to.",
  ELOOP: "The links on this path lead in a circle.",
  ENAMETOOLONG: "A name on this path is too long.",
  ENOSPC: "The disk is full.",
  EXDEV: "The new path is on another file system.",
  EBUSY: "The path is in use.",
};

/**
 * Runs the file work of a tool, and reports refusals of the operating system or the file core to the model.
 * @throws ToolFailure; any other error unchanged.
 */
export async function withFileFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError) throw toRefusal(error);
    const code = systemErrorCode(error);
    if (!/^E[A-Z]+$/.test(code)) throw error;
    throw new ToolFailure(MESSAGES[code] ?? `The operating system refused this (${code}).`);
  }
}
