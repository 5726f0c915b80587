import type { LanguageModel, ModelRequest, ModelUsage } from "../models/language-model.ts";
import { eachUntilAborted } from "../until-aborted.ts";

/** A model that is asked for a text, and where its tokens are counted. */
export interface Asked {
  model: LanguageModel;
  signal: AbortSignal;
  onUsage(usage: ModelUsage): void;
}

/** The text of an answer without tools. One that is longer than `charactersMax` is read no further. @throws ModelFailure; the signal's reason */
export async function askForText(
  { model, signal, onUsage }: Asked,
  request: Pick<ModelRequest, "instructions"> & { content: string },
  charactersMax: number,
): Promise<string> {
  const { instructions, content } = request;
  const messages = [{ role: "user", content }] as const;
  const parts = model.stream({ instructions, messages, tools: [] }, signal);
  let text = "";
  for await (const part of eachUntilAborted(signal, parts)) {
    if (part.type === "end" && part.usage) onUsage(part.usage);
    if (part.type === "delta") text += part.text;
    if (text.length > charactersMax) break;
  }
  return text;
}
