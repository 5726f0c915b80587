import assert from "node:assert/strict";
import { TOOL_RESULT_BYTES_MAX } from "../../../engine/chat/limits.ts";
import type { EngineConfig } from "../../../engine/config.ts";
import { findThread } from "../../../engine/threads/store.ts";
import {
  type BuiltinTool,
  needsApprovalAlways,
  type ToolContext,
  ToolFailure,
  ToolResult,
} from "../../../engine/tools/builtin/builtin.ts";
import { BUILTIN_TOOLS } from "../../../engine/tools/builtin/catalog.ts";
import { findWorkspace } from "../../../engine/workspaces/store.ts";
import { json } from "../http.ts";
import { createTestEngine, type TestEngine } from "./engine.ts";

/** Built-in tools as a turn runs them, without the turn. */
export interface ToolBench extends AsyncDisposable {
  test: TestEngine;
  context: ToolContext;
  /** The value of the result. */
  // biome-ignore lint/suspicious/noExplicitAny: results have every shape
  run(name: string, args: unknown, signal?: AbortSignal): Promise<any>;
  /** Whether these arguments are always asked about. */
  alwaysAsks(name: string, args: unknown): Promise<boolean>;
  /** Holds a call to a failure that the model reads, with this message. */
  fails(name: string, args: unknown, message: string | RegExp): Promise<void>;
}

export async function createToolBench(
  options: {
    directories?: readonly string[];
    dataDirectory?: string;
    taggedFiles?: ToolContext["taggedFiles"];
    resultBytesMax?: number;
  } = {},
): Promise<ToolBench> {
  const test = await createTestEngine();
  if (options.dataDirectory !== undefined) {
    const config: EngineConfig = { ...test.deps.config, dataDirectory: options.dataDirectory };
    test.deps.config = config;
  }
  const directories = JSON.stringify(options.directories ?? []);
  const made = await json(await test.call("POST", "/workspaces", { name: "w", directories }));
  const thread = await json(await test.call("POST", "/threads", { workspaceUuid: made.uuid }));
  const context: ToolContext = {
    deps: test.deps,
    workspace: (await findWorkspace(test.deps.db, made.uuid))!,
    thread: (await findThread(test.deps.db, thread.uuid))!,
    taggedFiles: options.taggedFiles ?? [],
    resultBytesMax: options.resultBytesMax ?? TOOL_RESULT_BYTES_MAX,
  };
  const never = new AbortController().signal;
  return {
    test,
    context,
    run: async (name, args, signal = never) => {
      const result = await findTool(name).run(context, args, signal);
      return result instanceof ToolResult ? result.value : result;
    },
    alwaysAsks: async (name, args) =>
      needsApprovalAlways(await findTool(name).reach(context, args)),
    fails: async (name, args, message) => {
      await assert.rejects(findTool(name).run(context, args, never), (error) => {
        assert.ok(error instanceof ToolFailure, String(error));
        if (typeof message === "string") assert.equal(error.message, message);
        else assert.match(error.message, message);
        return true;
      });
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

function findTool(name: string): BuiltinTool {
  const tool = BUILTIN_TOOLS.find((candidate) => candidate.name === name);
  assert.ok(tool, `no tool ${name}`);
  return tool;
}
