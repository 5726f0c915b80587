import { useState } from "preact/hooks";
import type { DiscoveredServer, ModelConfiguration } from "../../../client/client.ts";
import { adoptDefaultModel } from "../../../client/default-model.ts";
import { AUTO_TITLES_KEY } from "../../../client/new-thread-title.ts";
import { engine } from "../session.ts";
import { ActionButton, Button, useAction } from "../ui/action.tsx";
import { fallbackModel } from "../ui/fallback-model.tsx";
import { Empty, Failure, Loading, Progress, useLoad } from "../ui/load.tsx";
import { Switch } from "../ui/switch.tsx";
import { ModelCard } from "./model-card.tsx";
import { ModelForm } from "./model-form.tsx";
import { nameOfProvider } from "./model-input.ts";

/** Models: what answers, and what could. */
export function ModelsPage() {
  const [isAdding, setAdding] = useState(false);
  const models = useLoad(
    "models",
    (signal) => engine.models.listConfigurations({ signal }),
    /^model\./,
  );
  const chosen = fallbackModel.value;
  return (
    <>
      <header class="row spread">
        <h1>Models</h1>
        <Button class="primary" onClick={() => setAdding(true)}>
          Connect a model
        </Button>
      </header>
      {isAdding && <ModelForm onDone={() => setAdding(false)} />}
      <Loading of={models} label="Loading models" />
      {models.value?.length === 0 && !isAdding && (
        <Empty title="No model is connected yet">
          <p>Use one on this machine, or connect a provider's with your API key.</p>
        </Empty>
      )}
      {models.value?.toSorted(byName).map((model) => (
        <ModelCard
          key={model.id}
          model={model}
          isDefault={chosen?.isSet === true && chosen.id === model.id}
        />
      ))}
      {models.value && <OnThisMachine configured={models.value} />}
      <AutoTitles />
    </>
  );
}

/** The setting of all clients: whether a chat is named by its model. */
function AutoTitles() {
  const key = AUTO_TITLES_KEY;
  const stored = useLoad(key, (signal) => engine.settings.list({ key }, { signal }), /^settings\./);
  if (!stored.value) return null;
  const isOff = stored.value.some((it) => !it.tag && !it.client && it.value === "off");
  return (
    <Switch
      isOn={!isOff}
      onTurn={() => engine.settings.update([{ key, value: isOff ? "on" : "off" }])}
    >
      Let the model name a new chat after its first answer
    </Switch>
  );
}

function byName(one: ModelConfiguration, other: ModelConfiguration): number {
  return (one.alias ?? one.model).localeCompare(other.alias ?? other.model);
}

type MachineProps = { configured: readonly ModelConfiguration[] };

/** What the model servers of this machine have; a press connects one. */
function OnThisMachine({ configured }: MachineProps) {
  const found = useLoad("machine", (signal) => engine.models.discover({ signal }));
  return (
    <section class="card" aria-labelledby="machine">
      <div class="row spread">
        <h2 id="machine">On this machine</h2>
        <Button onClick={found.reload}>Look again</Button>
      </div>
      {found.error && <Failure error={found.error} />}
      {!found.value && !found.error && <Progress label="Looking for model servers" />}
      {found.value?.length === 0 && (
        <p class="muted">
          No model server responds. Start Ollama, LM Studio, llama.cpp, Jan or vLLM, then look
          again.
        </p>
      )}
      {found.value?.map((server) => (
        <div key={server.baseUrl}>
          <h3>
            {nameOfProvider(server.provider)} <span class="muted small">{server.baseUrl}</span>
          </h3>
          {server.models.length === 0 && <p class="muted">It has no models yet.</p>}
          <ul class="list divided">
            {server.models.map((name) => (
              <Found key={name} configured={configured} server={server} name={name} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

type FoundProps = MachineProps & { server: DiscoveredServer; name: string };

function Found({ configured, server: { provider, baseUrl }, name }: FoundProps) {
  const add = useAction(async () => {
    const { id } = await engine.models.createConfiguration({ provider, baseUrl, model: name });
    await adoptDefaultModel(engine, id);
  });
  const isThere = configured.some((it) => it.model === name && it.baseUrl === baseUrl);
  return (
    <li class="row spread">
      <bdi class="wrap">{name}</bdi>
      {isThere ? (
        <span class="badge good">Connected</span>
      ) : (
        <ActionButton action={add} aria-label={`Connect ${name}`}>
          Connect
        </ActionButton>
      )}
      {add.error && <Failure error={add.error} />}
    </li>
  );
}
