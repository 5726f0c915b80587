import { useState } from "preact/hooks";
import type { KnownProvider, ModelConfiguration, ModelParameters } from "../../../client/client.ts";
import { adoptDefaultModel } from "../../../client/default-model.ts";
import { engine } from "../session.ts";
import { ActionButton, Button, useAction } from "../ui/action.tsx";
import { Choice, Form, TextField } from "../ui/form.tsx";
import { formatNumber } from "../ui/format.ts";
import { HeaderLines } from "../ui/header-lines.tsx";
import { Failure, Progress, useLoad } from "../ui/load.tsx";
import { parseHeaderLines } from "../ui/parse-header-lines.ts";
import {
  DETAILS,
  fieldsOf,
  isSecret,
  LABELS,
  type ModelField,
  missingFields,
  nameOfProvider,
  toFields,
  toModelInput,
  toParameters,
} from "./model-input.ts";

interface FormProps {
  /** The model to change; a new one without. */
  model?: ModelConfiguration | undefined;
  onDone: () => void;
}

/** The form of a model: provider, key, then one of its models. A key goes to the engine alone, which never tells it again. */
export function ModelForm({ model, onDone }: FormProps) {
  const loaded = useLoad("form", async (signal) => {
    const [providers, parameters] = await Promise.all([
      engine.models.listProviders({ signal }),
      model ? engine.models.getConfigurationParameters(model.id, { signal }) : NO_PARAMETERS,
    ]);
    return { providers, parameters };
  });
  if (loaded.error) return <Failure error={loaded.error} />;
  if (!loaded.value) return <Progress label="Loading providers" />;
  return <LoadedForm model={model} onDone={onDone} {...loaded.value} />;
}

const NO_PARAMETERS: ModelParameters = { temperature: null, topP: null, maxOutputTokens: null };

interface LoadedProps extends FormProps {
  providers: readonly KnownProvider[];
  parameters: ModelParameters;
}

function LoadedForm({ model, onDone, providers, parameters }: LoadedProps) {
  const [fields, setFields] = useState(() => toFields(model, "openai", parameters));
  const [headers, setHeaders] = useState("");
  const [clears, setClears] = useState(false);
  const write = (name: ModelField, text: string) => setFields({ ...fields, [name]: text });
  const save = useAction(async () => {
    const given = parseHeaderLines(headers);
    const input = toModelInput(fields, clears);
    const { id } = model
      ? await engine.models.updateConfiguration(model.id, input)
      : await engine.models.createConfiguration(input);
    await engine.models.updateConfigurationParameters(id, toParameters(fields, parameters));
    if (clears || Object.keys(given).length > 0) {
      await engine.models.updateConfigurationHeaders(id, { headers: given });
    }
    if (!model) await adoptDefaultModel(engine, id);
    onDone();
  });
  const provider = providers.find((it) => it.provider === fields.provider);
  const missing = missingFields(provider, fields, model?.hasApiKey === true && !clears);
  const names = providers.map((it) => it.provider);
  const toField = (name: ModelField) => (
    <TextField
      key={name}
      label={LABELS[name]}
      isSecret={isSecret(name)}
      value={fields[name]}
      placeholder={hintOf(name, provider?.baseUrl, model?.hasApiKey)}
      onInput={(text) => write(name, text)}
    />
  );
  return (
    <div class="card">
      <Form
        action={save}
        verb={model ? "Save" : "Connect"}
        isIncomplete={missing.length > 0}
        onLeave={onDone}
      >
        <div class="fields">
          <Choice
            label="Provider"
            options={(provider ? names : [...names, fields.provider]).map(
              (name) => [name, nameOfProvider(name)] as const,
            )}
            value={fields.provider}
            onChoose={(name) => write("provider", name)}
          />
          {fieldsOf(provider).map(toField)}
        </div>
        <OfferedModels fields={fields} onChoose={(name) => write("model", name)} />
        <details>
          <summary>More settings</summary>
          <div class="fields">{DETAILS.map(toField)}</div>
          <HeaderLines hasStored={model !== undefined} text={headers} onInput={setHeaders} />
        </details>
        {model && (
          <label class="switch">
            <input type="checkbox" checked={clears} onChange={() => setClears(!clears)} /> Remove
            the stored key and headers
          </label>
        )}
        {missing.length > 0 && (
          <p class="muted small">
            Still needed: {missing.map((name) => LABELS[name as ModelField] ?? name).join(", ")}
          </p>
        )}
      </Form>
    </div>
  );
}

function hintOf(
  name: ModelField,
  baseUrl: string | null | undefined,
  hasApiKey: boolean | undefined,
): string | undefined {
  if (name === "baseUrl") return baseUrl ?? "http://127.0.0.1:8080/v1";
  if (name === "apiKey" && hasApiKey) return "Stored; leave empty to keep it";
  if (DETAILS.includes(name) && name !== "alias") return "Provider's default";
  return undefined;
}

interface OfferedProps {
  fields: Readonly<Record<ModelField, string>>;
  onChoose: (name: string) => void;
}

/** The name of the model: typed, or one of those that the provider lists for the key. */
function OfferedModels({ fields, onChoose }: OfferedProps) {
  const { provider, baseUrl, apiKey } = fields;
  const list = useAction(() => {
    const input = { provider, baseUrl: baseUrl.trim() || null, apiKey: apiKey.trim() || null };
    return engine.models.listOffered(input);
  });
  const offered = list.value;
  return (
    <div class="stack">
      <div class="row end">
        <TextField label={LABELS.model} value={fields.model} onInput={onChoose} />
        <ActionButton action={list}>Show its models</ActionButton>
      </div>
      {list.isBusy && <Progress label="Asking the provider" />}
      {list.error && <Failure error={list.error} />}
      {offered?.length === 0 && <p class="muted">The provider lists no models.</p>}
      {offered && offered.length > 0 && (
        <ul class="list picker" aria-label="The provider's models">
          {offered.map(({ id, contextWindow }) => (
            <li key={id}>
              <Button class="item" aria-pressed={id === fields.model} onClick={() => onChoose(id)}>
                <bdi class="grow cut">{id}</bdi>
                {contextWindow !== null && (
                  <span class="muted small">{formatNumber(contextWindow)} tokens</span>
                )}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
