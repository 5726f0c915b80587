import { useState } from "preact/hooks";
import type { EngineClient, ModelConfiguration, ModelTest } from "../../../client/client.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { formatDuration, formatNumber } from "../ui/format.ts";
import { Failure, Progress } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import { HeadersForm } from "./headers-form.tsx";
import { ModelForm } from "./model-form.tsx";

/** A configured model: what it is, whether it answers, and its form. */
export function ModelCard({
  engine,
  model,
  speed,
}: {
  engine: EngineClient;
  model: ModelConfiguration;
  /** Tokens a second of its last turns. */
  speed: number | undefined;
}) {
  const [open, setOpen] = useState<"form" | "headers">();
  const [tested, setTested] = useState<ModelTest>();
  const test = useAction(async () => {
    setTested(undefined);
    setTested(await engine.models.testConfiguration(model.id));
  });
  const remove = useAction(() => engine.models.deleteConfiguration(model.id));
  const name = model.alias ?? model.model;
  const error = test.error ?? remove.error;
  const close = () => setOpen(undefined);
  return (
    <article class="card" aria-label={name}>
      <div class="row spread heading">
        <h3 class="wrap">
          <bdi>{name}</bdi>
        </h3>
        <span class="badge">{model.provider}</span>
      </div>
      <Facts model={model} speed={speed} />
      {test.isBusy && <Progress label="Testing the model" />}
      {tested && <Outcome test={tested} />}
      {error && <Failure error={error} />}
      <div class="row">
        <button type="button" disabled={test.isBusy} onClick={test.run}>
          Test
        </button>
        <button type="button" onClick={() => setOpen("form")}>
          Edit
        </button>
        <button type="button" onClick={() => setOpen("headers")}>
          Headers
        </button>
        <ConfirmButton
          label="Delete"
          question="Delete this model with its key?"
          disabled={remove.isBusy}
          onConfirm={remove.run}
        />
      </div>
      {open === "form" && <ModelForm engine={engine} model={model} onDone={close} />}
      {open === "headers" && <HeadersForm engine={engine} id={model.id} onDone={close} />}
    </article>
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

function Outcome({ test }: { test: ModelTest }) {
  if (!test.ok) {
    return (
      <p class="failure" role="alert">
        {test.error}
      </p>
    );
  }
  return (
    <p class="outcome" role="status">
      <span class="badge good">answers</span>{" "}
      {test.firstTokenMs !== null && `first token after ${formatDuration(test.firstTokenMs)}, `}
      whole answer after {formatDuration(test.totalMs)}
    </p>
  );
}
