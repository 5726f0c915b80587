import { z } from "@hono/zod-openapi";
import { describeIssues } from "../../../shared/http/issues.ts";
import type { ToolSpec } from "../../models/language-model.ts";
import { operationOf } from "../../policies/operations.ts";
import { type BuiltinTool, type Reach, type ToolContext, ToolFailure } from "./builtin.ts";
import { NO_REACH } from "./reach.ts";

/** The definition of a tool: `run` gets parsed arguments. */
interface ToolDefinition<Schema extends z.ZodObject> {
  group: string;
  /** Begins with its verb, by which `operationOf` classifies it. */
  name: string;
  doc: string;
  parameters: Schema;
  /** Left out, it names no path. */
  reach?(context: ToolContext, input: z.infer<Schema>): Promise<Reach>;
  run(context: ToolContext, input: z.infer<Schema>, signal: AbortSignal): Promise<unknown>;
}

/** A built-in tool that parses its own arguments. Invalid ones are a ToolFailure that names the field. */
export function defineTool<Schema extends z.ZodObject>(
  definition: ToolDefinition<Schema>,
): BuiltinTool {
  const { group, name, doc, parameters } = definition;
  const parse = (args: unknown): z.infer<Schema> => {
    const parsed = parameters.safeParse(args);
    if (!parsed.success) throw new ToolFailure(`${describeIssues(parsed.error.issues)}.`);
    return parsed.data;
  };
  let spec: ToolSpec | undefined;
  return {
    group,
    name,
    doc,
    operation: operationOf(name),
    get spec() {
      spec ??= { name, doc, parameters: toJsonSchema(parameters) };
      return spec;
    },
    reach: async (context, args) => {
      const input = parse(args);
      return (await definition.reach?.(context, input)) ?? NO_REACH;
    },
    run: async (context, args, signal) => {
      signal.throwIfAborted();
      return definition.run(context, parse(args), signal);
    },
  };
}

// Providers expect the schema without `$schema`.
function toJsonSchema(parameters: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: "input" });
  return schema;
}
