import type { BuiltinTool } from "./builtin.ts";
import { FILESYSTEM_TOOLS } from "./filesystem.ts";
import { RECORD_TOOLS } from "./records.ts";
import { RETRIEVAL_TOOLS } from "./retrieval.ts";
import { TIME_TOOLS } from "./time.ts";
import { WORKSPACE_FILE_TOOLS } from "./workspace-files.ts";

/** All built-in tools, group after group. A new group is one line here. */
export const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  ...FILESYSTEM_TOOLS,
  ...WORKSPACE_FILE_TOOLS,
  ...RETRIEVAL_TOOLS,
  ...RECORD_TOOLS,
  ...TIME_TOOLS,
];
