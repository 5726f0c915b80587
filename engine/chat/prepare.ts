import type { ModelMessage } from "../models/language-model.ts";
import type { AgentRun } from "./agent.ts";
import { parseApprovalPolicy } from "./approval-policy.ts";
import { reachesModelAsBytes } from "./attachments.ts";
import { inputTokensMax } from "./context-window.ts";
import { EMPTY_FILE_CONTEXT, type FileContext, referredFiles } from "./file-context.ts";
import { loadHistory } from "./history.ts";
import type { Peer } from "./peer.ts";
import type { ChatDeps } from "./ports.ts";
import { toInstructions } from "./prompt.ts";
import { parseSkills } from "./skills.ts";
import type { CommittedTurn, TurnTarget } from "./target.ts";
import type { Questions } from "./tool-runner.ts";
import { untilAborted } from "./until-aborted.ts";
import type { ChatSend } from "./wire.ts";

interface PrepareInput {
  deps: ChatDeps;
  peer: Peer;
  id: string;
  signal: AbortSignal;
  questions: Questions;
}

/**
 * Reads what the agent goes by: policies, skills, history, the model itself.
 * @throws EngineError where a stored policy is malformed or a credential cannot be read; ModelFailure.
 */
export async function prepareAgent(
  { deps, peer, id, signal, questions }: PrepareInput,
  { workspace, model }: TurnTarget,
  { input, committed }: { input: ChatSend; committed: CommittedTurn },
): Promise<Omit<AgentRun, "emit">> {
  const { thread, userMessage } = committed;
  const files = input.file_context ?? EMPTY_FILE_CONTEXT;
  const policy = parseApprovalPolicy(thread.approvalConfig, workspace.approvalConfig);
  const builtins = deps.chat.builtinToolsForTurn({
    workspaceToolsConfig: workspace.toolsConfig,
    threadToolsConfig: thread.toolsConfig,
    toolsEnabled: input.tools_enabled,
  });
  const instructions = toInstructions({
    workspaceName: workspace.name,
    skills: parseSkills(workspace.skillsConfig, thread.skillsConfig),
    policy,
    hasTools: builtins.length > 0 || peer.uiTools().length > 0,
    files,
  });
  const tokensMax = inputTokensMax(model.contextWindow);
  const range = { threadId: thread.id, before: userMessage.createdAt, tokensMax };
  const history = await loadHistory(deps.db, range);
  const opened = await untilAborted(signal, model.open());
  return {
    speaker: { model: opened, contextWindow: model.contextWindow, instructions, history },
    userMessage: toUserMessage(input.content, files, model.acceptsAttachments),
    tools: {
      deps,
      peer,
      turnId: id,
      signal,
      questions,
      context: { deps, workspace, thread, taggedFiles: referredFiles(files) },
      builtins: new Map(builtins.map((tool) => [tool.name, tool])),
      policy,
    },
  };
}

function toUserMessage(content: string, files: FileContext, takesBytes: boolean): ModelMessage {
  const attachments = takesBytes ? files.attachments.filter(reachesModelAsBytes) : [];
  return { role: "user", content, ...(attachments.length > 0 ? { attachments } : {}) };
}
