import { useState } from "preact/hooks";
import type { ModelConfiguration } from "../../../client/client.ts";
import { readDefaultModel } from "../../../client/default-model.ts";
import { engine } from "../session.ts";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { useChanges } from "../ui/use-changes.ts";
import { useLoad } from "../ui/use-load.ts";
import { Discovery } from "./discovery.tsx";
import { ModelCard } from "./model-card.tsx";
import { ModelForm } from "./model-form.tsx";
import { speedsOf } from "./speeds.ts";

const TURNS_MEASURED = 200;

/** The configured models, what runs on this machine, and the form for another one. */
export function ConfiguredModels() {
  const models = useLoad("models", (signal) => engine.models.listConfigurations({ signal }));
  const turns = useLoad("turns", (signal) =>
    engine.turns.list({ state: "completed", limit: TURNS_MEASURED }, { signal }),
  );
  const chosen = useLoad("default model", (signal) => readDefaultModel(engine, { signal }));
  const [isAdding, setAdding] = useState(false);
  useChanges(({ type }) => {
    if (type.startsWith("model.") || type === "resync") models.reload();
    if (/^(settings\.updated|resync)$/.test(type)) chosen.reload();
  });
  if (models.error) return <Failure error={models.error} onRetry={models.reload} />;
  if (!models.value) return <Progress label="Loading the models" />;
  const speeds = speedsOf(turns.value ?? []);
  return (
    <>
      <div class="row spread heading">
        <h2>Configured models</h2>
        <button
          type="button"
          class="primary"
          aria-expanded={isAdding}
          onClick={() => setAdding(true)}
        >
          Add a model
        </button>
      </div>
      {isAdding && <ModelForm onDone={() => setAdding(false)} />}
      {models.value.length === 0 && !isAdding && (
        <Empty title="No model is configured yet">
          <p>Look for models on this machine below, or add one with the key of its provider.</p>
        </Empty>
      )}
      {sorted(models.value).map((model) => (
        <ModelCard
          key={model.id}
          model={model}
          isDefault={model.id === chosen.value}
          speed={speeds.get(model.id)}
        />
      ))}
      <Discovery configured={models.value} />
    </>
  );
}

function sorted(models: readonly ModelConfiguration[]): ModelConfiguration[] {
  const nameOf = ({ alias, model }: ModelConfiguration) => alias ?? model;
  return [...models].sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
}
