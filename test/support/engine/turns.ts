import type { ModelPart, ModelUsage } from "../../../engine/models/language-model.ts";
import type { Turn } from "../../../engine/turns/wire.ts";
import { json } from "../json.ts";
import type { TestEngine } from "./engine.ts";

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
