import type { ContextWindow, ModelConfiguration } from "../../../client/client.ts";
import { writeDefaultModel } from "../../../client/default-model.ts";
import { engine } from "../session.ts";
import { ActionButton, useAction } from "../ui/action.tsx";
import { formatDuration, formatNumber } from "../ui/format.ts";
import { Failure, useLoad } from "../ui/load.tsx";
import { TestedCard } from "../ui/tested-card.tsx";
import { ModelForm } from "./model-form.tsx";
import { nameOfProvider } from "./model-input.ts";

const SOURCES = {
  stated: "set by you",
  server: "reported by its server",
  known: "known for this model",
  assumed: "assumed",
} as const;

interface ModelCardProps {
  model: ModelConfiguration;
  /** Whether it answers if nothing else is chosen. */
  isDefault: boolean;
}

/** A connected model: what it is, whether it answers, and its form. */
export function ModelCard({ model, isDefault }: ModelCardProps) {
  const { id, provider, baseUrl, region, hasApiKey, contextWindow } = model;
  const choose = useAction(() => writeDefaultModel(engine, id));
  const context = useLoad(`${id} ${model.model} ${baseUrl} ${contextWindow}`, (signal) =>
    engine.models.getConfigurationContext(id, { signal }),
  );
  const facts = [
    nameOfProvider(provider),
    model.alias && model.model,
    baseUrl,
    region,
    context.value && describeWindow(context.value),
    hasApiKey && "key stored",
  ];
  return (
    <TestedCard
      name={model.alias ?? model.model}
      badge={
        isDefault ? (
          <span class="badge good">Default</span>
        ) : (
          <ActionButton action={choose} class="quiet">
            Make default
          </ActionButton>
        )
      }
      noun="model"
      onTest={() => engine.models.testConfiguration(id)}
      toFacts={({ firstTokenMs, totalMs }) =>
        `${firstTokenMs === null ? "" : `first word after ${formatDuration(firstTokenMs)}, `}whole answer after ${formatDuration(totalMs)}`
      }
      onDelete={() => engine.models.deleteConfiguration(id)}
      loss="This deletes its key and settings. Chats stay."
      form={(close) => <ModelForm model={model} onDone={close} />}
    >
      <p class="muted wrap">{facts.filter(Boolean).join(" · ")}</p>
      {choose.error && <Failure error={choose.error} />}
    </TestedCard>
  );
}

function describeWindow({ window, source }: ContextWindow): string {
  return `context window of ${formatNumber(window)} tokens, ${SOURCES[source]}`;
}
