import { fromUtf8 } from "../../shared/bytes.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { EngineError, invalid } from "../errors.ts";
import { withholdProtected } from "../files/protected.ts";
import { readBytes } from "../files/text.ts";
import { INSTRUCTIONS_BYTES_MAX } from "../limits.ts";
import type { ModelMessage } from "../models/language-model.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import type { ContextWindow } from "../models/wire.ts";
import { parseApprovalPolicy } from "../policies/operations.ts";
import { parseSkills } from "../policies/stored-configs.ts";
import { SEARCH_TOOL_NAME } from "../tools/builtin/retrieval.ts";
import { untilAborted } from "../until-aborted.ts";
import { listRoots, listUsableRoots } from "../workspaces/roots.ts";
import type { Agent } from "./agent.ts";
import { reachesModelAsBytes } from "./attachments.ts";
import { messageTokens, textTokens } from "./context-window.ts";
import { loadConversation } from "./conversation.ts";
import { FOLDERS_NAMED_MAX } from "./limits.ts";
import { toInstructions } from "./prompt.ts";
import type { TurnContext } from "./turn-context.ts";
import { TurnInput } from "./turn-input.ts";
import type { TurnTools } from "./turn-tools.ts";

const FILE_READERS: ReadonlySet<string> = new Set(["read_workspace_file", "read_file"]);

interface Question {
  content: string;
  createdAt: string;
}

/**
 * Loads what the agent needs: policies, skills, history and the model. Summarizes a long history. Waits for MCP servers, side by side with these.
 * @throws EngineError if a stored policy is malformed or a credential cannot be read; ModelFailure; the signal's reason.
 */
export async function prepareAgent(
  turn: TurnContext,
  { model, window, tools }: { model: ResolvedModel; window: ContextWindow; tools: TurnTools },
  { content, createdAt }: Question,
): Promise<Agent> {
  const { workspace, thread, files } = turn;
  const { acceptsAttachments } = model;
  const policy = parseApprovalPolicy(thread.approvalConfig, workspace.approvalConfig);
  const skills = parseSkills(workspace.skillsConfig, thread.skillsConfig);
  const languageModel = await untilAborted(turn.signal, model.create(window.window));
  await tools.servers.ready();
  const { offered, uiTools } = tools.offered();
  const names = new Set(offered.map(({ name }) => name));
  const leftOut: string[] = [];
  const about = {
    workspaceName: workspace.name,
    roots: listRoots(workspace),
    skills,
    policy,
    files,
    instructions: workspace.instructions,
    agentsFiles: await readAgentsFiles(turn.deps, workspace, (sentence) => leftOut.push(sentence)),
    clientInstructions: turn.client?.instructions ?? "",
  };
  const instructions = toInstructions({
    ...about,
    hasTools: offered.length > 0 || uiTools.length > 0,
    canSearch: names.has(SEARCH_TOOL_NAME),
    canReadFiles: !names.isDisjointFrom(FILE_READERS),
    serversAway: tools.servers.away(),
  });
  const none = { hasTools: false, canSearch: false, canReadFiles: false, serversAway: [] };
  const question = toUserMessage(turn, content, acceptsAttachments);
  const specs = [...offered.map(({ spec }) => spec), ...uiTools];
  const { summary, history, notices } = await loadConversation(turn, {
    model: model.canSummarize ? languageModel : undefined,
    contextWindow: window.window,
    fixedTokens:
      textTokens(instructions) + textTokens(JSON.stringify(specs)) + messageTokens(question),
    before: createdAt,
    acceptsAttachments,
  });
  const input = new TurnInput({ window, instructions, summary, history, question });
  for (const notice of [...model.notices, ...notices, ...leftOut]) input.notice(notice);
  return {
    model: languageModel,
    input,
    offeredTools: () => {
      const fitted = tools.offered();
      for (const group of fitted.omittedToolGroups) input.drop("tools", `the tools of ${group}`);
      return fitted;
    },
    policy,
    acceptsImages: acceptsAttachments,
    support: model,
    question: content,
    searchTool: tools.builtins.find(({ name }) => name === SEARCH_TOOL_NAME),
    instructionsWithoutTools: toInstructions({ ...about, ...none }),
  };
}

function toUserMessage(
  { files }: TurnContext,
  content: string,
  acceptsAttachments: boolean,
): Extract<ModelMessage, { role: "user" }> {
  const attachments = acceptsAttachments ? files.attachments.filter(reachesModelAsBytes) : [];
  return { role: "user", content, ...(attachments.length > 0 ? { attachments } : {}) };
}

const NAME = "AGENTS.md";

/** A file with instructions for agents. */
export interface AgentsFile {
  /** The folder that it is for. */
  root: string;
  text: string;
}

/**
 * The files of the workspace's roots as they are now, never through a link. `onLeftOut` is called with a sentence for each that
 * is there and cannot be used.
 */
async function readAgentsFiles(
  { config }: Pick<EngineDeps, "config">,
  workspace: WorkspaceRow,
  onLeftOut: (sentence: string) => void,
): Promise<AgentsFile[]> {
  if (!workspace.useAgentsFile) return [];
  const judge = withholdProtected(config.dataDirectory);
  const files: AgentsFile[] = [];
  for (const { path } of (await listUsableRoots(workspace)).slice(0, FOLDERS_NAMED_MAX)) {
    try {
      const bytes = await readBytes({ path, judge }, NAME, INSTRUCTIONS_BYTES_MAX);
      files.push({ root: path, text: toText(bytes) });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (error.code === "not_found") continue;
      onLeftOut(`${NAME} of ${path} was left out: ${error.message}`);
    }
  }
  return files;
}

function toText(bytes: Uint8Array | undefined): string {
  if (!bytes) throw invalid("It is larger than 32 KiB.");
  try {
    return fromUtf8(bytes);
  } catch {
    throw invalid("It is not UTF-8 text.");
  }
}
