import { type ApprovalPolicy, OPERATIONS } from "../policies/operations.ts";
import type { Skill } from "../policies/stored-configs.ts";
import { SEARCH_TOOL_NAME } from "../tools/builtin/retrieval.ts";
import { reachesModelAsBytes } from "./attachments.ts";
import { FOLDERS_NAMED_MAX } from "./limits.ts";
import type { AgentsFile } from "./prepare.ts";
import { type FileContext, referredFiles } from "./wire.ts";

interface PromptInput {
  workspaceName: string;
  roots: readonly { rootIndex: number; path: string }[];
  skills: readonly Skill[];
  policy: ApprovalPolicy;
  hasTools: boolean;
  /** Whether one of the tools searches the index of the folders. */
  canSearch: boolean;
  /** Whether one of the tools reads workspace files. */
  canReadFiles: boolean;
  /** The MCP servers that are switched on and not connected. */
  serversAway: readonly string[];
  files: FileContext;
  /** Of the workspace. */
  instructions: string | null;
  agentsFiles: readonly AgentsFile[];
  /** What a program with a client key wants; may be empty. */
  clientInstructions: string;
}

/** The system prompt of a turn. Names and paths are quoted as JSON, so that their text cannot pose as instructions. */
export function toInstructions(input: PromptInput): string {
  const { workspaceName, skills, policy, hasTools, canReadFiles, serversAway, files } = input;
  return [
    `You are the assistant of the workspace ${JSON.stringify(workspaceName)}.`,
    ...folderList(input),
    ...skills.map(({ name, instructions }) => `Skill ${JSON.stringify(name)}:\n${instructions}`),
    ...(hasTools ? [toolRules(policy)] : []),
    ...awayList(serversAway),
    ...fileList(files, canReadFiles),
    ...attachmentList(files),
    ...ownInstructions(input),
    ...(input.clientInstructions ? [input.clientInstructions] : []),
  ].join("\n\n");
}

function folderList({ roots, canSearch, canReadFiles }: PromptInput): string[] {
  if (roots.length === 0) return [];
  const named = roots.slice(0, FOLDERS_NAMED_MAX).map(({ rootIndex, path }) => {
    return `- ${JSON.stringify({ root_index: rootIndex, path })}`;
  });
  const more = roots.length - named.length;
  const rules = [
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(canSearch
      ? [
          `Their content is indexed: call ${SEARCH_TOOL_NAME} before you answer a question about it.`,
        ]
      : []),
    ...(canSearch || canReadFiles
      ? ["In the answer, name the path and lines of each passage that you use, as `path:12-30`."]
      : []),
  ];
  return [["The folders of this workspace:", ...named, ...rules].join("\n")];
}

/** What people wrote, after what the engine says. */
function ownInstructions({ instructions, agentsFiles }: PromptInput): string[] {
  const own = instructions?.trim() ? [`Instructions of the workspace:\n${instructions}`] : [];
  const files = agentsFiles.filter(({ text }) => text.trim() !== "");
  const texts = files.map(
    ({ root, text }) => `Instructions for the folder ${JSON.stringify(root)}:\n${text}`,
  );
  return [...own, ...texts];
}

function toolRules(policy: ApprovalPolicy): string {
  const asked = OPERATIONS.filter((operation) => policy[operation]);
  const approval =
    asked.length === 0 ? "" : ` The user is asked before a tool may ${asked.join(", ")}.`;
  return `Use tools where they help.${approval} Where the user denies a call, do not try to reach the same by other means.`;
}

function awayList(servers: readonly string[]): string[] {
  if (servers.length === 0) return [];
  const names = servers.map((name) => JSON.stringify(name)).join(", ");
  return [
    `These tool servers cannot be reached now, so their tools are missing: ${names}. Tell the user where that matters.`,
  ];
}

function fileList(files: FileContext, canReadFiles: boolean): string[] {
  const lines = referredFiles(files).map((file) => {
    const { rootIndex, path, label } = file;
    const open = isActive(files, rootIndex, path) ? " (open in front of the user)" : "";
    return `- ${JSON.stringify({ root_index: rootIndex, path, label })}${open}`;
  });
  if (lines.length === 0) return [];
  const way = canReadFiles ? "read them with the file tools" : "no tool here can read them";
  return [[`The user refers to these workspace files; ${way}:`, ...lines].join("\n")];
}

function isActive({ activeFile }: FileContext, rootIndex: number, path: string): boolean {
  return activeFile?.rootIndex === rootIndex && activeFile.path === path;
}

function attachmentList({ attachments }: FileContext): string[] {
  const lines = attachments.map((attachment) => {
    const { name, mediaType, bytes } = attachment;
    const about = { name, media_type: mediaType, size_bytes: bytes.length };
    const unread = reachesModelAsBytes(attachment) ? "" : " (its content cannot be shown to you)";
    return `- ${JSON.stringify(about)}${unread}`;
  });
  return lines.length === 0 ? [] : [["The user attached:", ...lines].join("\n")];
}
