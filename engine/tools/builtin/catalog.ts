import type { BuiltinTool } from "./builtin.ts";
import { TIME_TOOLS } from "./time.ts";

/** All built-in tools, group after group. A new group is one line here. */
export const BUILTIN_TOOLS: readonly BuiltinTool[] = [...TIME_TOOLS];
