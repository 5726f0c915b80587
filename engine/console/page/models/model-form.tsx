import { useId, useState } from "preact/hooks";
import type { ModelConfiguration } from "../../../client/client.ts";
import { adoptDefaultModel } from "../../../client/default-model.ts";
import { engine } from "../session.ts";
import { Form } from "../ui/form.tsx";
import { Failure, Progress } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import { useLoad } from "../ui/use-load.ts";
import {
  MODEL_FIELDS,
  type ModelField,
  missingFields,
  takes,
  toFields,
  toModelInput,
} from "./model-input.ts";

const LABELS: Readonly<Record<ModelField, string>> = {
  provider: "Provider",
  model: "Model",
  alias: "Name to show",
  baseUrl: "Address",
  region: "AWS region",
  contextWindow: "Context window, in tokens",
  apiKey: "API key",
  cloudAccessKeyId: "AWS access key id",
  cloudSecretAccessKey: "AWS secret access key",
  cloudSessionToken: "AWS session token",
};

interface FormProps {
  /** The model to change; a new one without. */
  model?: ModelConfiguration;
  onDone: () => void;
}

/** The form of a model. A key goes to the engine alone, which never tells it again. */
export function ModelForm({ model, onDone }: FormProps) {
  const providers = useLoad("providers", (signal) => engine.models.listProviders({ signal }));
  const [fields, setFields] = useState(() => toFields(model, "openai"));
  const [clears, setClears] = useState(false);
  const save = useAction(async () => {
    const input = toModelInput(fields, clears);
    if (model) await engine.models.updateConfiguration(model.id, input);
    else await adoptDefaultModel(engine, (await engine.models.createConfiguration(input)).id);
    onDone();
  });
  if (providers.error) return <Failure error={providers.error} onRetry={providers.reload} />;
  if (!providers.value) return <Progress label="Loading the providers" />;
  const provider = providers.value.find((it) => it.provider === fields.provider);
  const missing = missingFields(provider, fields, model?.hasApiKey === true && !clears);
  const names = providers.value.map((it) => it.provider);
  return (
    <Form
      action={save}
      verb={model ? "Save" : "Add model"}
      class="card stack"
      isIncomplete={missing.length > 0}
      onLeave={onDone}
    >
      <div class="fields">
        <label class="field">
          <span>{LABELS.provider}</span>
          <select
            value={fields.provider}
            onChange={({ currentTarget }) =>
              setFields({ ...fields, provider: currentTarget.value })
            }
          >
            {(provider ? names : [...names, fields.provider]).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {MODEL_FIELDS.filter((name) => name !== "provider" && takes(provider, name)).map((name) => (
          <Field
            key={name}
            name={name}
            value={fields[name]}
            hint={hintOf(name, provider?.baseUrl, model?.hasApiKey)}
            onInput={(text) => setFields({ ...fields, [name]: text })}
          />
        ))}
      </div>
      {model?.hasApiKey && (
        <label class="switch">
          <input type="checkbox" checked={clears} onChange={() => setClears(!clears)} /> Remove the
          stored key
        </label>
      )}
      {missing.length > 0 && (
        <p class="muted small">
          Still needed: {missing.map((name) => LABELS[name as ModelField] ?? name).join(", ")}
        </p>
      )}
    </Form>
  );
}

function hintOf(
  name: ModelField,
  baseUrl: string | null | undefined,
  hasApiKey: boolean | undefined,
): string | undefined {
  if (name === "baseUrl") return baseUrl ?? "http://127.0.0.1:8080/v1";
  if (name === "apiKey" && hasApiKey) return "stored; empty keeps it";
  return undefined;
}

function Field({
  name,
  value,
  hint,
  onInput,
}: {
  name: ModelField;
  value: string;
  hint: string | undefined;
  onInput: (text: string) => void;
}) {
  const isSecret = name === "apiKey" || name.startsWith("cloud");
  const id = useId();
  const shared = {
    id,
    autocomplete: "off",
    spellcheck: false,
    placeholder: hint,
    value,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onInput(currentTarget.value),
  };
  return (
    <label class="field" htmlFor={id}>
      <span>{LABELS[name]}</span>
      {isSecret ? <input type="password" {...shared} /> : <input type="text" {...shared} />}
    </label>
  );
}
