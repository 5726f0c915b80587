import type { Page } from "playwright-core";
import { json } from "../json.ts";
import { type ProviderServer, type Reply, startProviderServer } from "../providers/server.ts";
import { PROVIDER_WIRES, type Said } from "../providers/wires.ts";
import { type OpenConsole, openConsole } from "./console.ts";
import type { EngineProcess, ProcessOptions } from "./engine-process.ts";

/** The wire of the scripted model. */
const WIRE = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;

/** A console whose chat page shows a workspace with a scripted model. */
export interface OpenChat extends OpenConsole {
  provider: ProviderServer;
  workspaceUuid: string;
  /** Writes a message and sends it. */
  send(text: string): Promise<void>;
}

/** Opens the chat page. Nothing asks in its workspace but what `workspace` says. */
export async function openChat(
  workspace: Record<string, unknown> = {},
  options: ProcessOptions = {},
): Promise<OpenChat> {
  const provider = await startProviderServer();
  const opened = await openConsole(options);
  const { engine, page } = opened;
  const workspaceUuid = await createModelWorkspace(engine, provider, workspace);
  await opened.show("chat", workspaceUuid);
  await page.getByLabel("Message", { exact: true }).waitFor();
  return {
    ...opened,
    provider,
    workspaceUuid,
    send: (text) => send(page, text),
    async [Symbol.asyncDispose]() {
      // First: it holds the connections of the provider.
      await opened[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

async function createModelWorkspace(
  { call }: EngineProcess,
  provider: ProviderServer,
  workspace: Record<string, unknown>,
): Promise<string> {
  const model = {
    provider: WIRE.provider,
    model: "scripted",
    baseUrl: provider.url + WIRE.basePath,
  };
  const { id } = await json(await call("POST", "/model-configurations", model), 201);
  const input = { name: "Chat", defaultModelId: id, ...workspace };
  return (await json(await call("POST", "/workspaces", input))).uuid;
}

async function send(page: Page, text: string): Promise<void> {
  const field = page.getByLabel("Message", { exact: true });
  await field.fill(text);
  await field.press("Enter");
}

/** A model that says this, and ends. */
export function says(...said: Said[]): Reply {
  return async (exchange) => {
    exchange.head(200, { "content-type": WIRE.contentType });
    for (const chunk of WIRE.chunks(said)) await exchange.write(chunk);
    exchange.end();
  };
}

/** A model that calls a tool. */
export function calls(name: string, args: object, id = `call-${name}`): Reply {
  return says({ call: { id, name, fragments: [JSON.stringify(args)] } });
}

/** A model that says this and does not end until `more` is done. */
export function saysAndGoesOn(text: string, more: Promise<unknown> = new Promise(() => {})): Reply {
  return async (exchange) => {
    const chunks = WIRE.chunks([{ text }]);
    exchange.head(200, { "content-type": WIRE.contentType });
    await exchange.write(chunks[0]!);
    await more;
    for (const chunk of chunks.slice(1)) await exchange.write(chunk);
    exchange.end();
  };
}

/** A model that says each text when the promise before it is done. */
export function streams(texts: AsyncIterable<string>): Reply {
  return async (exchange) => {
    exchange.head(200, { "content-type": WIRE.contentType });
    for await (const text of texts) await exchange.write(WIRE.chunks([{ text }])[0]!);
    for (const chunk of WIRE.chunks([])) await exchange.write(chunk);
    exchange.end();
  };
}
