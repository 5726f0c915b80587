import type { ModelPart, ModelUsage } from "../../../engine/models/language-model.ts";
import type { Turn } from "../../../engine/turns/wire.ts";
import { json } from "../json.ts";
import type { ChatWorld } from "./chat.ts";
import type { TestEngine } from "./engine.ts";
import { type EventReader, openEventStream, type StreamedEvent } from "./event-reader.ts";

/** The newest turn, or the one of this uuid. */
export async function turnOf({ call }: Pick<TestEngine, "call">, uuid?: string): Promise<Turn> {
  if (uuid !== undefined) return json(await call("GET", `/turns/${uuid}`));
  return (await json(await call("GET", "/turns")))[0];
}

/** A step that says a text, then stops at nothing but its signal. */
export const endlessStep = (text: string) =>
  async function* (_request: unknown, signal: AbortSignal): AsyncIterable<ModelPart> {
    yield { type: "delta", text };
    await new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };

/** A step of these parts that reports its tokens. */
export const meteredStep = (usage: ModelUsage | undefined, ...parts: ModelPart[]) =>
  async function* (): AsyncIterable<ModelPart> {
    yield* parts;
    yield { type: "end", usage };
  };

/** Starts a turn over HTTP in the thread of a world. */
export async function startTurn(world: ChatWorld, body: object = {}): Promise<Turn> {
  const { test, threadUuid } = world;
  const response = await test.call("POST", `/threads/${threadUuid}/turns`, {
    content: "go",
    ...body,
  });
  return json(response, 202);
}

/** Opens the events of a turn. */
export function openEvents(
  { test }: ChatWorld,
  { uuid }: Pick<Turn, "uuid">,
  query = "",
): Promise<EventReader> {
  return openEventStream(test, `/turns/${uuid}/events${query}`);
}

/** All events of a turn up to its end. */
export async function eventsOf(
  world: ChatWorld,
  turn: Pick<Turn, "uuid">,
  query = "",
): Promise<StreamedEvent[]> {
  await using reader = await openEvents(world, turn, query);
  return await reader.rest();
}

/** The text that a client shows after these events. */
export function textOf(events: readonly StreamedEvent[], before = ""): string {
  return events.reduce((text, { event, data }) => {
    if (event === "snapshot") return data.text;
    return event === "model.delta" ? text + data.delta : text;
  }, before);
}

/** Resolves with the record once the turn has ended. */
export async function endOf(world: ChatWorld, turn: Pick<Turn, "uuid">): Promise<Turn> {
  return (await eventsOf(world, turn)).at(-1)!.data;
}
