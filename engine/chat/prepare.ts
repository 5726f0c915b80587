import { untilAborted } from "../../shared/until-aborted.ts";
import type { ModelMessage } from "../models/language-model.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import { parseApprovalPolicy } from "../policies/approval.ts";
import { parseSkills } from "../policies/skills.ts";
import type { BuiltinTool } from "../tools/builtin/builtin.ts";
import type { Agent } from "./agent.ts";
import { reachesModelAsBytes } from "./attachments.ts";
import { inputTokensMax } from "./context-window.ts";
import { fitTools } from "./fit-tools.ts";
import { loadHistory } from "./history.ts";
import { toInstructions } from "./prompt.ts";
import type { TurnContext } from "./turn-context.ts";

const FILE_READERS: ReadonlySet<string> = new Set(["read_workspace_file", "read_file"]);

/** The user message of a turn, and whether its frame allows built-in tools. */
interface TurnInput {
  content: string;
  createdAt: string;
  toolsEnabled: boolean;
}

/**
 * Loads what the agent needs: policies, skills, history and the model.
 * @throws EngineError where a stored policy is malformed or a credential cannot be read; ModelFailure.
 */
export async function prepareAgent(
  turn: TurnContext,
  model: ResolvedModel,
  { content, createdAt, toolsEnabled }: TurnInput,
): Promise<Agent> {
  const { deps, peer, workspace, thread, files } = turn;
  const { contextWindow } = model;
  const policy = parseApprovalPolicy(thread.approvalConfig, workspace.approvalConfig);
  const builtins = chooseBuiltins(turn, contextWindow, toolsEnabled);
  const instructions = toInstructions({
    workspaceName: workspace.name,
    skills: parseSkills(workspace.skillsConfig, thread.skillsConfig),
    policy,
    hasTools: builtins.length > 0 || peer.uiTools().length > 0,
    canReadFiles: builtins.some(({ name }) => FILE_READERS.has(name)),
    files,
  });
  const tokensMax = inputTokensMax(contextWindow);
  const range = { threadId: thread.id, before: createdAt, tokensMax };
  const history = await loadHistory(deps.db, range);
  return {
    model: await untilAborted(turn.signal, model.open()),
    contextWindow,
    instructions,
    history,
    userMessage: toUserMessage(turn, content, model.acceptsAttachments),
    builtins: new Map(builtins.map((tool) => [tool.name, tool])),
    policy,
  };
}

function chooseBuiltins(
  { id, deps, peer, journal, workspace, thread }: TurnContext,
  contextWindow: number | null,
  toolsEnabled: boolean,
): readonly BuiltinTool[] {
  const allowed = deps.chat.builtinToolsForTurn({
    workspaceToolsConfig: workspace.toolsConfig,
    threadToolsConfig: thread.toolsConfig,
    toolsEnabled,
  });
  const { offered, omittedToolGroups } = fitTools(allowed, peer.uiTools(), contextWindow);
  if (omittedToolGroups.length > 0) {
    journal.omitted(omittedToolGroups);
    const fields = { turn: id, contextWindow, omittedToolGroups };
    deps.log.info(fields, "Tool groups were left out to fit a small context window.");
  }
  return offered;
}

function toUserMessage(
  { files }: TurnContext,
  content: string,
  acceptsAttachments: boolean,
): ModelMessage {
  const attachments = acceptsAttachments ? files.attachments.filter(reachesModelAsBytes) : [];
  return { role: "user", content, ...(attachments.length > 0 ? { attachments } : {}) };
}
