import type { ModelConfiguration } from "../../../client/client.ts";
import { writeDefaultModel } from "../../../client/default-model.ts";
import { engine } from "../session.ts";
import { ActionButton } from "../ui/action-button.tsx";
import { formatDuration, formatNumber } from "../ui/format.ts";
import { Failure } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import { HeadersForm } from "./headers-form.tsx";
import { ModelForm } from "./model-form.tsx";
import { TestedCard } from "./tested-card.tsx";

/** A configured model: what it is, whether it answers, and its form. */
export function ModelCard({
  model,
  isDefault,
  speed,
}: {
  model: ModelConfiguration;
  /** Whether it answers where nothing else is chosen. */
  isDefault: boolean;
  /** Tokens a second of its last turns. */
  speed: number | undefined;
}) {
  const { id } = model;
  const choose = useAction(() => writeDefaultModel(engine, id));
  return (
    <TestedCard
      name={model.alias ?? model.model}
      heading="h3"
      badge={
        <span class="row">
          {isDefault ? (
            <span class="badge good">default</span>
          ) : (
            <ActionButton action={choose} class="quiet small">
              Make default
            </ActionButton>
          )}
          <span class="badge">{model.provider}</span>
        </span>
      }
      noun="model"
      onTest={() => engine.models.testConfiguration(id)}
      toFacts={({ firstTokenMs, totalMs }) => (
        <>
          {firstTokenMs !== null && `first token after ${formatDuration(firstTokenMs)}, `}
          whole answer after {formatDuration(totalMs)}
        </>
      )}
      onDelete={() => engine.models.deleteConfiguration(id)}
      question="Delete this model with its key?"
      forms={{
        Edit: (close) => <ModelForm model={model} onDone={close} />,
        Headers: (close) => <HeadersForm id={id} onDone={close} />,
      }}
    >
      <Facts model={model} speed={speed} />
      {choose.error && <Failure error={choose.error} />}
    </TestedCard>
  );
}

function Facts({ model, speed }: { model: ModelConfiguration; speed: number | undefined }) {
  const facts = [
    model.model,
    model.baseUrl,
    model.region,
    model.contextWindow && `${formatNumber(model.contextWindow)} tokens of context`,
    model.hasApiKey && "key stored",
    speed && `${speed.toFixed(1)} tokens a second in its last turns`,
  ];
  return <p class="muted wrap">{facts.filter(Boolean).join(" · ")}</p>;
}
