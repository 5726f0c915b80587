import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { ROOT } from "../../house/sources.ts";
import { createTestFolder, type TestFolder } from "../engine/files.ts";
import type { LiveEngine } from "../engine/live.ts";
import type { EngineProcess } from "../engine/process.ts";
import { json } from "../http.ts";
import { type ProviderServer, type Reply, startProviderServer } from "../providers/server.ts";
import { PROVIDER_WIRES, type Said } from "../providers/wires.ts";

/** An engine whose console is opened. */
export interface ConsoleTarget {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  token: string;
}

/** A console in a tab of a browser, and what it did. */
export interface ConsoleTab {
  page: Page;
  /** The link that opened it. */
  link: string;
  /** The addresses of all its requests. */
  requests: string[];
  /** Uncaught errors, and what the browser refused or warned about. */
  problems: string[];
  /** What no console does: uncaught errors, and requests to other hosts. */
  faults: string[];
  /** Shows a page of the console: `["folders", uuid]`. */
  show(...route: string[]): Promise<void>;
}

/** A console in a browser context of its own. */
export interface ConsoleBrowser extends ConsoleTab, AsyncDisposable {}

/** A new link, as `POST /console/links` gives it. */
export async function createConsoleLink({ origin, token }: ConsoleTarget): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/api/v1/console/links`, { method: "POST", headers });
  return ((await response.json()) as { url: string }).url;
}

/** Opens the console in a context of its own by a new link. */
export async function openConsoleBrowser(
  browser: Browser,
  target: ConsoleTarget,
  options: BrowserContextOptions = {},
): Promise<ConsoleBrowser> {
  const context = await browser.newContext(options);
  const tab = await openConsoleTab(context, target);
  return { ...tab, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens the console in a new tab by a new link; resolves once a page of it is shown. */
export async function openConsoleTab(
  context: BrowserContext,
  target: ConsoleTarget,
): Promise<ConsoleTab> {
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  const faults: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin, href } = new URL(request.url());
    requests.push(href);
    if (protocol.startsWith("http") && origin !== target.origin) faults.push(href);
  });
  page.on("pageerror", ({ message }) => {
    problems.push(message);
    faults.push(message);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  const link = await createConsoleLink(target);
  await page.goto(link);
  await page.locator(".shell").waitFor();
  // The page is named in the same step in which it begins to take keys.
  await page.waitForFunction(() => document.title.endsWith(" · Roundhouse"));
  return {
    page,
    link,
    requests,
    problems,
    faults,
    show: (...route) => showRoute(page, ...route),
  };
}

/** Goes to a page of the console by its address. */
function showRoute(page: Page, ...route: string[]): Promise<void> {
  return page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/${route.map(encodeURIComponent).join("/")}`,
  );
}

/** The wire of the scripted model. */
const WIRE = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;

/** A browser, and the engine whose console it shows. */
export interface ConsolePlace {
  browser: Browser;
  engine: EngineProcess;
  /** Consoles that earlier tests left open: a new one takes half a second of the processor. None where the engine is not shared. */
  left?: ConsoleBrowser[];
}

/** The console of an engine, in a browser. */
export interface OpenConsole extends ConsoleBrowser {
  engine: EngineProcess;
}

/** A console whose chat page shows a workspace with a scripted model. */
export interface OpenChat extends OpenConsole {
  provider: ProviderServer;
  workspaceUuid: string;
  modelId: string;
  /** Writes a message and sends it. */
  send(text: string): Promise<void>;
}

/**
 * Opens the console with a link, or takes one that an earlier test left; with `options`, even empty ones, it is a new one. Its
 * disposal fails where the page reported an error or asked another host.
 */
export async function openConsole(
  { browser, engine, left }: ConsolePlace,
  options?: BrowserContextOptions,
): Promise<OpenConsole> {
  const shared = options ? undefined : left;
  const tab = shared?.pop() ?? (await openConsoleBrowser(browser, targetOf(engine), options));
  return {
    ...tab,
    engine,
    async [Symbol.asyncDispose]() {
      if (shared && (await canBeLeft(tab))) shared.push(tab);
      else await tab[Symbol.asyncDispose]();
      assert.deepEqual(tab.faults, []);
    },
  };
}

/** Ends what a test changed in a console. @returns whether the next one finds it as if it were new. */
async function canBeLeft({ page, faults }: ConsoleTab): Promise<boolean> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const isFree = () => document.querySelector("dialog[open], :popover-open") === null;
  return faults.length === 0 && (await page.evaluate(isFree));
}

/** Where the console of this engine is opened. */
export function targetOf({ baseUrl, runtime }: EngineProcess): ConsoleTarget {
  return { origin: new URL(baseUrl).origin, token: runtime.token };
}

/** Opens the chat page. Nothing asks in its workspace but what `workspace` says. Workspace and model end with it. */
export async function openChat(
  place: ConsolePlace,
  workspace: Record<string, unknown> = {},
  options?: BrowserContextOptions,
): Promise<OpenChat> {
  await using stack = new AsyncDisposableStack();
  const { engine } = place;
  await nameNoChats(engine);
  const provider = stack.use(await startProviderServer());
  const { modelId, workspaceUuid } = await createModelWorkspace(engine, provider, workspace);
  stack.defer(async () => {
    // A test may have killed its engine.
    if (engine.child.exitCode !== null || engine.child.signalCode !== null) return;
    await engine.call("DELETE", `/workspaces/${workspaceUuid}`);
    await engine.call("DELETE", `/model-configurations/${modelId}`);
  });
  const opened = stack.use(await openConsole(place, options));
  await opened.show("chat", workspaceUuid);
  await opened.page.getByLabel("Message", { exact: true }).waitFor();
  const held = stack.move();
  return {
    ...opened,
    provider,
    workspaceUuid,
    modelId,
    send: (text) => send(opened.page, text),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The scripted model gets no requests but those of a test. */
export async function nameNoChats({ call }: EngineProcess): Promise<void> {
  await json(await call("PUT", "/settings", [{ key: "titles.auto", value: "off" }]));
}

async function createModelWorkspace(
  { call }: EngineProcess,
  provider: ProviderServer,
  workspace: Record<string, unknown>,
): Promise<{ modelId: string; workspaceUuid: string }> {
  const model = {
    provider: WIRE.provider,
    model: "scripted",
    baseUrl: provider.url + WIRE.basePath,
  };
  const { id } = await json(await call("POST", "/model-configurations", model), 201);
  const input = { name: "Chat", defaultModelId: id, ...workspace };
  const { uuid } = await json(await call("POST", "/workspaces", input));
  return { modelId: id, workspaceUuid: uuid };
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

/** The paths of all pages of the console. Its list is a module for browsers, so it is read as text. */
export const PAGE_PATHS: readonly string[] = [
  ...readFileSync(join(ROOT, "engine/console/page/pages.ts"), "utf8").matchAll(/path: "([\w-]+)"/g),
].map(([, path = ""]) => path);

/** Goes to a page by its address, and waits until it is shown and has asked the engine for what it shows. */
export async function visitPage(page: Page, ...route: string[]): Promise<void> {
  await showRoute(page, ...route);
  await page.waitForFunction(
    (path) =>
      document.querySelector(`main[data-page="${path}"] h1`) !== null &&
      document.querySelector("main progress, [aria-busy=true]") === null,
    route[0],
  );
}

/** Stores something of all that pages show. @returns the folder that is indexed. */
export async function fillEngine({ test }: LiveEngine): Promise<TestFolder> {
  const folder = await createTestFolder({
    notes: { "plan.md": "# Plan\n\nThe zeppelin leaves.\n" },
  });
  const post = async (path: string, body?: unknown) => (await test.call("POST", path, body)).json();
  const { uuid } = (await post("/workspaces", {
    name: "Notes",
    directories: JSON.stringify([folder.at("notes"), folder.at("gone")]),
  })) as { uuid: string };
  await json(await test.call("POST", `/workspaces/${uuid}/rag/roots/0/index`));
  await post("/model-configurations", {
    provider: "openai-compatible",
    model: "m",
    baseUrl: "http://127.0.0.1:9/v1",
  });
  await post("/tool-registry", {
    name: "server",
    toolType: "mcp",
    endpointUrl: "http://127.0.0.1:9/",
  });
  const content =
    "A **plan**:\n\n- one\n- `two`\n\n```ts\nconst x = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  await post(`/workspaces/${uuid}/turns`, { content });
  return folder;
}
