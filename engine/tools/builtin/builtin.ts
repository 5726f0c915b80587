import type { ThreadRow, WorkspaceRow } from "../../db/schema.ts";
import type { EngineDeps } from "../../deps.ts";
import type { EngineError } from "../../errors.ts";
import type { ToolSpec } from "../../models/language-model.ts";
import type { Operation } from "../../policies/operations.ts";

/** The context of a tool call: workspace, thread and tagged files of the turn. */
export interface ToolContext {
  deps: Pick<EngineDeps, "config" | "db" | "clock" | "retrieval" | "changes">;
  workspace: WorkspaceRow;
  thread: ThreadRow;
  taggedFiles: readonly { rootIndex: number; path: string; label: string }[];
  /** What the JSON of the result may take: the tool gives a part that fits, and says how to go on. */
  resultBytesMax: number;
  /** What this call was known to reach when the user approved it; nothing of it without an approval. */
  approved?: Pick<Reach, "protected" | "sensitive"> & {
    /** By a grant: only what lies in this folder, and, of a tool that writes, nothing hidden. A null folder is everywhere. */
    granted?: { folder: string | null; writes: boolean };
  };
  /** Tells clients how far a long call is. */
  onProgress?(progress: ToolCallProgress): void;
}

/** What a call reaches, as its arguments say before it runs. */
export interface Reach {
  /** The engine's own data. */
  protected: boolean;
  /** A file whose text the index withholds. */
  sensitive: boolean;
  /** The tool is no longer the one that the user agreed to. */
  changed: boolean;
  /** A dot file, a dot folder or the instructions of agents are written. */
  writesHidden: boolean;
  /** The real paths that it names; one that is `below` a folder is never that folder itself. */
  paths: readonly { path: string; below: boolean }[];
  /** The nearest real folder that holds all of them; null if it names none. */
  folder: string | null;
}

/** Whether a call is asked about under every policy. */
export function needsApprovalAlways(reach: Reach): boolean {
  return reach.protected || reach.sensitive || reach.changed;
}

/** How far a call is, as the tool counts it. */
export interface ToolCallProgress {
  done: number;
  total: number | null;
  message: string | null;
}

/** An image of a result, for models that look at images. */
export interface ToolImage {
  mediaType: string;
  bytes: Uint8Array;
}

/** A part of a file that a result holds. */
export interface Passage {
  /** Null for a file outside the folders of the workspace. */
  rootIndex: number | null;
  /** Relative to its folder; absolute where there is none. */
  path: string;
  /** From 1; null if it is not known. */
  startLine: number | null;
  endLine: number | null;
  from: "search" | "read";
  /** The file is withheld: the result names it, and holds nothing of it. */
  sensitive: boolean;
}

/** What a result is, besides its value. */
interface ResultParts {
  images?: readonly ToolImage[];
  passages?: readonly Passage[];
  /** What had no room in it, such as "7 of 10 passages". */
  leftOut?: string | undefined;
}

/** The result of a tool that gives more than a value. */
export class ToolResult {
  readonly value: unknown;
  readonly parts: ResultParts;

  constructor(value: unknown, parts: ResultParts) {
    this.value = value;
    this.parts = parts;
  }
}

/** A tool that the engine runs: built in, made with `defineTool`, or of an MCP server. */
export interface BuiltinTool {
  group: string;
  name: string;
  /** What the tool does, in a sentence or two, for users and models. */
  doc: string;
  operation: Operation;
  /** Of a tool of an MCP server, the name that the configuration gives that server. */
  readonly serverName?: string;
  /** The same server by the uuid of its record, and what it says of the tool now. */
  server?(): { uuid: string; identity: readonly string[] };
  /** The tool as a model sees it. */
  readonly spec: ToolSpec;
  /** What its record may take of a result; 64 KiB by default. */
  readonly resultBytesMax?: number;
  /**
   * What these arguments reach.
   * @throws ToolFailure if the arguments are invalid.
   */
  reach(context: ToolContext, args: unknown): Promise<Reach>;
  /**
   * Parses the arguments itself.
   * @throws ToolFailure with a message for the model; the signal's reason if it was aborted; any other error is a fault
   * that ends the turn.
   */
  run(context: ToolContext, args: unknown, signal: AbortSignal): Promise<unknown>;
}

/** A failure that the tool reports to the model; the turn continues. */
export class ToolFailure extends Error {
  override name = "ToolFailure";
}

/** The refusal of an endpoint, as the model receives it. */
export function toRefusal({ message, details }: EngineError): ToolFailure {
  return new ToolFailure([message, details].filter(Boolean).join(" "));
}
