import { useState } from "preact/hooks";
import type { ClientKey, NewClientKey } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { LastUsed } from "../ui/ago.tsx";
import { LossButton } from "../ui/ask.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatDay } from "../ui/format.ts";
import { Empty, Loading, useLoad } from "../ui/load.tsx";
import { workspaces } from "../workspaces.ts";
import { KeyForm, SCOPES } from "./key-form.tsx";
import { Programs } from "./programs.tsx";

/** Keys: the other programs that may use models and workspaces through OpenAI's interface. */
export function KeysPage() {
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<NewClientKey>();
  const keys = useLoad("keys", (signal) => engine.clientKeys.list({ signal }), /^clientKey\./);
  return (
    <>
      <header class="row spread">
        <h1>Keys</h1>
        <Button class="primary" onClick={() => setAdding(true)}>
          New key
        </Button>
      </header>
      <p class="muted">
        Chat programs, editors and scripts can use your models and workspaces as they use OpenAI.
        Each has its own key, which you can revoke.
      </p>
      {isAdding && <KeyForm onMade={setMade} onLeave={() => setAdding(false)} />}
      {made && <MadeKey made={made} onClose={() => setMade(undefined)} />}
      <Loading of={keys} label="Loading keys" />
      {keys.value?.length === 0 && !isAdding && (
        <Empty title="No other program has a key">
          <p>Create one for each program that should use your models or workspaces.</p>
        </Empty>
      )}
      {keys.value && keys.value.length > 0 && (
        <div class="card">
          <ul class="list divided" aria-label="Keys">
            {keys.value.map((key) => (
              <KeyRow key={key.uuid} clientKey={key} />
            ))}
          </ul>
        </div>
      )}
      <section class="card" aria-labelledby="programs">
        <h2 id="programs">Connect a program</h2>
        <Programs apiKey="YOUR_KEY" scopes={["workspaces"]} />
      </section>
    </>
  );
}

/** The one place where the key itself is shown. */
function MadeKey({ made, onClose }: { made: NewClientKey; onClose: () => void }) {
  return (
    <Dialog title={`Key for ${made.name}`} onClose={onClose}>
      <p>Copy it now. It is not shown again.</p>
      <p class="row">
        <code class="wrap grow">{made.key}</code> <CopyButton text={() => made.key} />
      </p>
      <Programs apiKey={made.key} scopes={made.scopes} />
    </Dialog>
  );
}

function KeyRow({ clientKey }: { clientKey: ClientKey }) {
  const { uuid, name, scopes, workspaceUuids, lastUsedAt, expiresAt } = clientKey;
  const isOver = Date.parse(expiresAt) <= Date.now();
  const reached = workspaces.value?.filter((it) => workspaceUuids?.includes(it.uuid)) ?? [];
  const names =
    workspaceUuids === null ? "All workspaces" : reached.map((it) => it.name).join(", ");
  return (
    <li class="row spread">
      <span class="stacked wrap grow">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span>
          {SCOPES.flatMap(([scope, title]) => (scopes.includes(scope) ? title : [])).join(", ")}
        </span>
        <span class="muted small">
          {scopes.includes("workspaces") && `${names || "No workspace"}, `}
          <LastUsed at={lastUsedAt} />
          {isOver ? ", expired " : ", until "}
          {formatDay(expiresAt)}
        </span>
      </span>
      {isOver && <span class="badge warn">Expired</span>}
      <LossButton
        class=""
        label={`Revoke ${name}`}
        verb="Revoke"
        title="Revoke this key?"
        text={`“${name}” loses access to the engine, and its running requests stop.`}
        run={() => engine.clientKeys.delete(uuid)}
      />
    </li>
  );
}
