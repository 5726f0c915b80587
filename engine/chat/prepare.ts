import type { ModelMessage } from "../models/language-model.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import type { ContextWindow } from "../models/wire.ts";
import { parseApprovalPolicy } from "../policies/approval.ts";
import { parseSkills } from "../policies/skills.ts";
import { SEARCH_TOOL_NAME } from "../tools/builtin/retrieval.ts";
import { untilAborted } from "../until-aborted.ts";
import { listRoots } from "../workspaces/roots.ts";
import type { Agent } from "./agent.ts";
import { readAgentsFiles } from "./agents-files.ts";
import { reachesModelAsBytes } from "./attachments.ts";
import { messageTokens, textTokens } from "./context-window.ts";
import { loadConversation } from "./conversation.ts";
import { toInstructions } from "./prompt.ts";
import type { TurnContext } from "./turn-context.ts";
import { TurnInput } from "./turn-input.ts";
import type { TurnTools } from "./turn-tools.ts";

const FILE_READERS: ReadonlySet<string> = new Set(["read_workspace_file", "read_file"]);

/** The stored user message of a turn. */
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
  await tools.ready();
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
    serversAway: tools.away(),
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
    offeredTools: () => tools.offered((what) => input.drop("tools", what)),
    policy,
    acceptsImages: acceptsAttachments,
    support: model,
    question: content,
    searchTool: tools.find(SEARCH_TOOL_NAME),
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
