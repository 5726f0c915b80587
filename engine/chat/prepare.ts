import type { ModelMessage } from "../models/language-model.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import { parseApprovalPolicy } from "../policies/approval.ts";
import { parseSkills } from "../policies/skills.ts";
import { untilAborted } from "../until-aborted.ts";
import type { Agent } from "./agent.ts";
import { reachesModelAsBytes } from "./attachments.ts";
import { inputTokensMax } from "./context-window.ts";
import { loadHistory } from "./history.ts";
import { toInstructions } from "./prompt.ts";
import type { TurnContext } from "./turn-context.ts";
import type { TurnTools } from "./turn-tools.ts";

const FILE_READERS: ReadonlySet<string> = new Set(["read_workspace_file", "read_file"]);

/** The stored user message of a turn. */
interface TurnInput {
  content: string;
  createdAt: string;
}

/**
 * Loads what the agent needs: policies, skills, history and the model. Waits for MCP servers, side by side with these.
 * @throws EngineError if a stored policy is malformed or a credential cannot be read; ModelFailure; the signal's reason.
 */
export async function prepareAgent(
  turn: TurnContext,
  {
    model,
    contextWindow,
    tools,
  }: { model: ResolvedModel; contextWindow: number; tools: TurnTools },
  { content, createdAt }: TurnInput,
): Promise<Agent> {
  const { deps, peer, workspace, thread, files } = turn;
  const { acceptsAttachments } = model;
  const policy = parseApprovalPolicy(thread.approvalConfig, workspace.approvalConfig);
  const skills = parseSkills(workspace.skillsConfig, thread.skillsConfig);
  const range = {
    threadId: thread.id,
    before: createdAt,
    tokensMax: inputTokensMax(contextWindow),
    acceptsAttachments,
  };
  const history = await loadHistory(deps, range);
  const languageModel = await untilAborted(turn.signal, model.create(contextWindow));
  await tools.ready();
  const offered = tools.offered();
  const instructions = toInstructions({
    workspaceName: workspace.name,
    skills,
    policy,
    hasTools: offered.length > 0 || peer.uiTools().length > 0,
    canReadFiles: offered.some(({ name }) => FILE_READERS.has(name)),
    serversAway: tools.away(),
    files,
  });
  return {
    model: languageModel,
    contextWindow,
    instructions,
    history,
    userMessage: toUserMessage(turn, content, acceptsAttachments),
    offeredTools: () => tools.offered(),
    policy,
    acceptsImages: acceptsAttachments,
  };
}

function toUserMessage(
  { files }: TurnContext,
  content: string,
  acceptsAttachments: boolean,
): ModelMessage {
  const attachments = acceptsAttachments ? files.attachments.filter(reachesModelAsBytes) : [];
  return { role: "user", content, ...(attachments.length > 0 ? { attachments } : {}) };
}
