import OpenAI from "openai";
import { json } from "../http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../providers/model.ts";
import { BASE_URL, createDoorBench, type DoorBench, networkOf } from "./door.ts";
import { TOOLS } from "./turns.ts";

export type Messages = OpenAI.ChatCompletionMessageParam[];

/** A door with a workspace whose model takes these steps, and the openai package as its client. */
export async function createWorkspaceBench(...steps: ScriptedStep[]) {
  const model = new ScriptedModel(...steps);
  const bench = await createDoorBench({ chat: scriptedChat(model, { tools: TOOLS }) });
  const workspace = await json(
    await bench.test.call("POST", "/workspaces", {
      name: "Notes",
      approvalConfig: '{"read":false}',
    }),
  );
  const { key, uuid: keyUuid } = await bench.createKey({ scopes: ["workspaces"] });
  const client = connect(bench, key);
  return Object.assign(bench, { model, workspace, client, keyUuid });
}

export type Bench = Awaited<ReturnType<typeof createWorkspaceBench>>;

/** The openai package, with the engine in this process as its network. */
export function connect({ test }: DoorBench, apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: BASE_URL, fetch: networkOf(test), maxRetries: 0 });
}

export const user = (content: string) => ({ role: "user" as const, content });
export const assistant = (content: string) => ({ role: "assistant" as const, content });

/** Asks the workspace, and returns the answer with its thread. */
export async function ask({ client }: Pick<Bench, "client">, messages: Messages, label?: string) {
  const headers = label === undefined ? {} : { "X-Thread": label };
  const request = client.chat.completions.create(
    { model: "workspace/Notes", messages },
    { headers },
  );
  const { data, response } = await request.withResponse();
  return {
    text: data.choices[0]?.message.content,
    message: data.choices[0]?.message,
    usage: data.usage,
    threadUuid: response.headers.get("x-thread-uuid") ?? "",
  };
}

/** Role and text of the messages of a thread. */
export async function storedIn(
  { test }: DoorBench,
  threadUuid: string,
): Promise<[string, string][]> {
  const messages = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
  return messages.map(({ role, content }: { role: string; content: string }) => [role, content]);
}

/** The texts of a request to the model. */
export const sentTo = ({ model }: Bench, at: number) =>
  model.requests[at]?.messages.map((message) => "content" in message && message.content);
