import type { Prompt } from "../../shared/cli/prompt.ts";
import type { EngineClient, UpsertModelConfiguration } from "../client/client.ts";
import { adoptDefaultModel } from "../client/default-model.ts";
import type { CommandContext } from "./context.ts";
import { OFFERED_MODELS_MAX } from "./limits.ts";

interface Offer {
  label: string;
  /** The id of a model configuration; null for none; undefined if it did not work. */
  take(): Promise<string | null | undefined>;
}

/** Providers that a key is enough for. */
const HOSTED = ["anthropic", "google", "openai"] as const;

/**
 * The model of a new workspace: a configured one, one of a server on this machine, one of a provider with a key, one of a server at an
 * address, or none (null). Each is tried. A new one stays only if it answers; a configured one that does not is proposed last.
 */
export async function chooseModel(
  engine: EngineClient,
  prompt: Prompt,
  context: CommandContext,
): Promise<string | null> {
  const parts = { engine, prompt, context, failed: new Set<string>() };
  for (;;) {
    const offers = await listOffers(parts);
    const at = await prompt.choose(
      "Which model?",
      offers.map(({ label }) => label),
    );
    const taken = await offers[at]?.take();
    if (taken !== undefined) return taken;
  }
}

interface Parts {
  engine: EngineClient;
  prompt: Prompt;
  context: CommandContext;
  /** Configured models that did not answer. */
  failed: Set<string>;
}

async function listOffers({ engine, prompt, context, failed }: Parts): Promise<Offer[]> {
  const { signal } = context;
  const [configured, servers] = await Promise.all([
    engine.models.listConfigurations({ signal }),
    engine.models.discover({ signal }),
  ]);
  const isConfigured = (provider: string, model: string) =>
    configured.some((each) => each.provider === provider && each.model === model);
  const found = servers
    .flatMap(({ provider, baseUrl, models }) =>
      models.map((model) => ({ provider, baseUrl, model })),
    )
    .filter(({ provider, model }) => !isConfigured(provider, model))
    .slice(0, OFFERED_MODELS_MAX);
  const known = configured.map(({ id, provider, model, alias }) => ({
    hasFailed: failed.has(id),
    label: `${alias || model} (${provider})${failed.has(id) ? ", which did not respond" : ""}`,
    take: async () => {
      if (await doesAnswer(engine, context, { id, model })) return id;
      failed.add(id);
      return undefined;
    },
  }));
  const ready = [
    ...known.filter(({ hasFailed }) => !hasFailed),
    ...found.map((input) => ({
      label: `${input.model} at ${input.baseUrl}, on this machine`,
      take: () => tryModel(engine, context, input),
    })),
  ];
  const hosted = HOSTED.map((provider) => ({
    label: `${provider}, with an API key`,
    take: async () => {
      const model = await prompt.line(`Model name at ${provider}:`);
      const apiKey = await prompt.secret(`API key for ${provider}:`);
      if (model === "" || apiKey === "") return undefined;
      return tryModel(engine, context, { provider, model, apiKey });
    },
  }));
  const other = {
    label: "another OpenAI-compatible server, by its address",
    take: async () => {
      const baseUrl = await prompt.line("Its address, such as http://127.0.0.1:8080/v1:");
      const model = await prompt.line("Model name:");
      if (baseUrl === "" || model === "") return undefined;
      const apiKey = await prompt.secret("API key (press Enter if it needs none):");
      const key = apiKey === "" ? {} : { apiKey };
      return tryModel(engine, context, { provider: "openai-compatible", model, baseUrl, ...key });
    },
  };
  // What is proposed first must work by Enter alone.
  const none = {
    label: "none for now: the first question shows matching passages",
    take: async () => null,
  };
  const asked = [...hosted, other, ...known.filter(({ hasFailed }) => hasFailed)];
  return ready.length > 0 ? [...ready, ...asked, none] : [none, ...asked];
}

/** Its id if it answers; else it is removed again. */
async function tryModel(
  engine: EngineClient,
  context: CommandContext,
  input: UpsertModelConfiguration,
): Promise<string | undefined> {
  const { signal } = context;
  const { id } = await engine.models.createConfiguration(input, { signal });
  let answered = false;
  try {
    answered = await doesAnswer(engine, context, { id, model: input.model });
    if (!answered) return undefined;
    await adoptDefaultModel(engine, id, { signal });
    return id;
  } finally {
    // Also if it was interrupted: a key that was never accepted is not kept.
    if (!answered) await engine.models.deleteConfiguration(id);
  }
}

async function doesAnswer(
  { models }: EngineClient,
  { remark, signal }: CommandContext,
  { id, model }: { id: string; model: string },
): Promise<boolean> {
  remark(`Trying ${model} …`);
  const { ok, totalMs, error } = await models.testConfiguration(id, { signal });
  remark(ok ? `It responded after ${totalMs} ms.` : (error ?? "It does not respond."));
  return ok;
}
