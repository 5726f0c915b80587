import assert from "node:assert/strict";
import {
  type LanguageModel,
  ModelFailure,
  type ModelPart,
  type ModelRequest,
  type ModelRetry,
} from "../../../engine/models/language-model.ts";
import { resolveModel } from "../../../engine/models/resolve.ts";
import type { LogFields } from "../../../shared/log.ts";
import { createTestEngine, type TestEngine } from "../engine/engine.ts";
import { json } from "../http.ts";
import { type Exchange, type ProviderServer, startProviderServer } from "./server.ts";
import { PLANTED_KEY, type ProviderWire, reroutedFetch } from "./wires.ts";

/** A configured model over a scripted provider, with everything that was logged. */
export interface ProviderBench extends AsyncDisposable {
  test: TestEngine;
  server: ProviderServer;
  model: LanguageModel;
  log: string[];
  /** Resolves once something with this text was logged. */
  logged(text: string): Promise<void>;
}

export async function createProviderBench(wire: ProviderWire): Promise<ProviderBench> {
  const server = await startProviderServer();
  const log: string[] = [];
  const watchers = new Set<() => void>();
  const write = (fields: LogFields, message: string) => {
    log.push(JSON.stringify({ ...fields, message }));
    for (const watcher of watchers) watcher();
  };
  const test = await createTestEngine({
    fetch: reroutedFetch(server.url),
    log: { debug: write, info: write, warn: write, error: write },
  });
  const baseUrl = wire.provider === "openai" ? null : server.url + wire.basePath;
  const input = { provider: wire.provider, model: "m", baseUrl, ...wire.configuration };
  const { id } = await json(await test.call("POST", "/model-configurations", input), 201);
  const choice = { requested: id, threadDefault: null, workspaceDefault: null };
  const model = await (await resolveModel(test.deps, choice)).create(32_768);
  return {
    test,
    server,
    model,
    log,
    logged: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!log.some((line) => line.includes(text))) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** What the user asks: nothing of it may be seen in a failure. */
export const QUESTION = "A question of some length";

/** A short conversation. */
export const REQUEST: ModelRequest = {
  instructions: "Be brief.",
  messages: [{ role: "user", content: QUESTION }],
  tools: [],
};

/** What a step came to. */
export interface StepOutcome {
  parts: ModelPart[];
  text: string;
  calls: { toolCallId: string; toolName: string; argumentsText: string }[];
  end: Extract<ModelPart, { type: "end" }> | undefined;
  failure: ModelFailure | undefined;
}

/** Runs one step and holds it to the port: one `end`, or one ModelFailure, and nothing after it. */
export async function runStep(
  model: LanguageModel,
  request: ModelRequest = REQUEST,
  signal: AbortSignal = new AbortController().signal,
  onRetry?: (retry: ModelRetry) => void,
): Promise<StepOutcome> {
  const parts: ModelPart[] = [];
  let failure: ModelFailure | undefined;
  try {
    for await (const part of model.stream(request, signal, onRetry)) parts.push(part);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    assert.equal(error.cause, undefined);
    failure = error;
  }
  const ends = parts.filter((part) => part.type === "end");
  assert.equal(ends.length + (failure ? 1 : 0), 1, "one end or one failure");
  if (ends[0]) assert.equal(parts.at(-1), ends[0]);
  return {
    parts,
    text: parts.map((part) => (part.type === "delta" ? part.text : "")).join(""),
    calls: parts.flatMap((part) => (part.type === "tool-call" ? [part.call] : [])),
    end: ends[0],
    failure,
  };
}

/** Holds a failure to a sentence, and everything that could be seen of it to giving nothing away. */
export function assertFailure(
  bench: ProviderBench,
  { failure }: StepOutcome,
  sentence: RegExp,
): void {
  assert.ok(failure, "a failure");
  assert.match(failure.message, sentence);
  const seen = `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${bench.log.join()}`;
  for (const secret of [PLANTED_KEY, "canary", QUESTION, "?alt=sse"]) {
    assert.equal(seen.includes(secret), false, secret);
  }
}

/** The chunks up to the first word. */
function beginning(wire: ProviderWire): Uint8Array[] {
  const chunks = wire.chunks([{ text: "begun" }, { text: "more" }]);
  const first = chunks.findIndex((chunk) => Buffer.from(chunk).includes("begun"));
  return chunks.slice(0, first + 1);
}

/** Begins an answer up to its first word, then does something else. */
export function breaksOff(wire: ProviderWire, then: (exchange: Exchange) => unknown) {
  return async (exchange: Exchange) => {
    exchange.head(200, { "content-type": wire.contentType });
    for (const chunk of beginning(wire)) {
      await exchange.write(chunk);
    }
    await then(exchange);
  };
}
