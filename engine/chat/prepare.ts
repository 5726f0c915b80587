import { untilAborted } from "../../shared/until-aborted.ts";
import type { ModelMessage } from "../models/language-model.ts";
import { parseApprovalPolicy } from "../policies/approval.ts";
import { parseSkills } from "../policies/skills.ts";
import type { AgentRun } from "./agent.ts";
import { reachesModelAsBytes } from "./attachments.ts";
import { inputTokensMax } from "./context-window.ts";
import { EMPTY_FILE_CONTEXT, type FileContext, referredFiles } from "./file-context.ts";
import { fitTools } from "./fit-tools.ts";
import { loadHistory } from "./history.ts";
import type { Peer } from "./peer.ts";
import type { ChatDeps } from "./ports.ts";
import { toInstructions } from "./prompt.ts";
import type { Questions } from "./tool-runner.ts";
import type { CommittedTurn, TurnTarget } from "./turn-target.ts";
import type { ChatSend } from "./wire.ts";

const FILE_READERS: ReadonlySet<string> = new Set(["read_workspace_file", "read_file"]);

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
  const allowed = deps.chat.builtinToolsForTurn({
    workspaceToolsConfig: workspace.toolsConfig,
    threadToolsConfig: thread.toolsConfig,
    toolsEnabled: input.tools_enabled,
  });
  const { contextWindow } = model;
  const { offered, omittedToolGroups } = fitTools(allowed, peer.uiTools(), contextWindow);
  if (omittedToolGroups.length > 0) {
    const fields = { turn: id, contextWindow, omittedToolGroups };
    deps.log.info(fields, "Tool groups were left out to fit a small context window.");
  }
  const instructions = toInstructions({
    workspaceName: workspace.name,
    skills: parseSkills(workspace.skillsConfig, thread.skillsConfig),
    policy,
    hasTools: offered.length > 0 || peer.uiTools().length > 0,
    canReadFiles: offered.some(({ name }) => FILE_READERS.has(name)),
    files,
  });
  const tokensMax = inputTokensMax(contextWindow);
  const range = { threadId: thread.id, before: userMessage.createdAt, tokensMax };
  const history = await loadHistory(deps.db, range);
  const opened = await untilAborted(signal, model.open());
  return {
    speaker: { model: opened, contextWindow, instructions, history },
    omittedToolGroups,
    userMessage: toUserMessage(input.content, files, model.acceptsAttachments),
    tools: {
      deps,
      peer,
      turnId: id,
      signal,
      questions,
      context: { deps, workspace, thread, taggedFiles: referredFiles(files) },
      builtins: new Map(offered.map((tool) => [tool.name, tool])),
      policy,
    },
  };
}

function toUserMessage(content: string, files: FileContext, takesBytes: boolean): ModelMessage {
  const attachments = takesBytes ? files.attachments.filter(reachesModelAsBytes) : [];
  return { role: "user", content, ...(attachments.length > 0 ? { attachments } : {}) };
}
