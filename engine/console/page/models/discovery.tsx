import { useState } from "preact/hooks";
import type { DiscoveredServer, ModelConfiguration } from "../../../client/client.ts";
import { adoptDefaultModel } from "../../../client/default-model.ts";
import { engine } from "../session.ts";
import { ActionButton } from "../ui/action-button.tsx";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";

interface DiscoveryProps {
  configured: readonly ModelConfiguration[];
}

/** Asks the model servers of this machine for their models; a press adds one. */
export function Discovery({ configured }: DiscoveryProps) {
  const [servers, setServers] = useState<readonly DiscoveredServer[]>();
  const look = useAction(async () => setServers(await engine.models.discover()));
  return (
    <section aria-labelledby="discovery">
      <div class="row spread heading">
        <h2 id="discovery">On this machine</h2>
        <ActionButton action={look}>Look for models</ActionButton>
      </div>
      {look.isBusy && <Progress label="Looking for model servers" />}
      {look.error && <Failure error={look.error} />}
      {!servers && !look.isBusy && (
        <p class="muted">
          Ollama, LM Studio, llama.cpp, Jan and vLLM are asked at their usual ports.
        </p>
      )}
      {servers?.length === 0 && (
        <Empty title="No model server answered">
          <p>Start one, for example Ollama, and look again.</p>
        </Empty>
      )}
      {servers?.map((server) => (
        <article class="card" key={server.baseUrl} aria-label={server.baseUrl}>
          <h3>
            {server.provider} <span class="muted small">{server.baseUrl}</span>
          </h3>
          {server.models.length === 0 && <p class="muted">It has no model yet.</p>}
          <ul class="found">
            {server.models.map((name) => (
              <li key={name}>
                <Found configured={configured} server={server} name={name} />
              </li>
            ))}
          </ul>
        </article>
      ))}
    </section>
  );
}

function Found({
  configured,
  server: { provider, baseUrl },
  name,
}: DiscoveryProps & { server: DiscoveredServer; name: string }) {
  const add = useAction(async () => {
    const { id } = await engine.models.createConfiguration({ provider, baseUrl, model: name });
    await adoptDefaultModel(engine, id);
  });
  const isThere = configured.some((it) => it.model === name && it.baseUrl === baseUrl);
  return (
    <span class="row spread">
      <bdi class="wrap">{name}</bdi>
      {isThere ? (
        <span class="badge good">added</span>
      ) : (
        <ActionButton action={add} aria-label={`Add ${name}`}>
          Add
        </ActionButton>
      )}
      {add.error && <Failure error={add.error} />}
    </span>
  );
}
