import { isJsonObject } from "../../shared/json.ts";
import { SEARCH_TOOL_NAME } from "../tools/builtin/retrieval.ts";
import { enabledRoots } from "../workspaces/roots.ts";
import type { Agent } from "./agent.ts";
import { runRecordedCall } from "./tool-runner.ts";
import type { TurnContext } from "./turn-context.ts";
import type { FoundPassages } from "./turn-input.ts";

const NOTICE = "This model cannot use tools.";
const NOTICE_FOUND = `${NOTICE} It got the passages that a search of the folders found.`;
const INTRODUCTION =
  "A search of the workspace's folders found these passages for the message below. Name the path and lines of those that you use, as `path:12-30`.";

/**
 * From now on the model gets no tools. The passages that a hybrid search finds stand before its question, if the search tool is
 * on and the policy or the user lets it run.
 * @throws as `runToolCall`
 */
export async function goWithoutTools(turn: TurnContext, agent: Agent): Promise<void> {
  const { input, instructionsWithoutTools: instructions } = agent;
  const found = await findPassages(turn, agent);
  input.notice(found ? NOTICE_FOUND : NOTICE);
  input.goWithoutTools(instructions, found);
}

async function findPassages(
  turn: TurnContext,
  { input, searchTool, policy, question, instructionsWithoutTools }: Agent,
): Promise<FoundPassages | undefined> {
  if (!searchTool || question.trim() === "" || enabledRoots(turn.workspace).length === 0) {
    return undefined;
  }
  const tools = new Map([[SEARCH_TOOL_NAME, searchTool]]);
  const room = input.roomForFound(instructionsWithoutTools);
  const resultBytes = Math.max(0, room - Buffer.byteLength(INTRODUCTION));
  const argumentsText = JSON.stringify({ query: question });
  const toolCallId = crypto.randomUUID();
  const call = { toolCallId, toolName: SEARCH_TOOL_NAME, argumentsText };
  const { end } = await runRecordedCall(turn, { tools, policy, resultBytes }, call);
  if (end.status !== "completed" || !end.parts) return undefined;
  const { passages = [], leftOut } = end.parts;
  const results = isJsonObject(end.result) ? end.result.results : undefined;
  if (!Array.isArray(results) || passages.length === 0) return undefined;
  const texts = results.filter(isJsonObject).map(toText);
  return { text: [INTRODUCTION, ...texts].join("\n\n"), passages, leftOut };
}

function toText({ path, start_line: start, end_line: end, content }: Record<string, unknown>) {
  const lines = typeof start === "number" ? `:${start}-${end}` : "";
  return `${path}${lines}\n${content}`;
}
