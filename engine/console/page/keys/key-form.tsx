import { useState } from "preact/hooks";
import type { ClientKey, NewClientKey } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { useAction } from "../ui/action.tsx";
import { Checks, Choice, Form, TextField } from "../ui/form.tsx";
import { workspaces } from "../workspaces.ts";

const DAY_MS = 86_400_000;

/** What a key may use, and what a person calls it. */
export const SCOPES: readonly (readonly [ClientKey["scopes"][number], string])[] = [
  ["models", "Models"],
  ["workspaces", "Workspaces, with their folders and tools"],
  ["embeddings", "Embeddings"],
];

const DAYS = [
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
] as const;

/** The form of a new key. */
export function KeyForm(props: { onMade: (made: NewClientKey) => void; onLeave: () => void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ClientKey["scopes"]>(["models", "workspaces"]);
  const [chosen, setChosen] = useState<string[]>([]);
  const [days, setDays] = useState<(typeof DAYS)[number][0]>("90");
  const make = useAction(async () => {
    const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const workspaceUuids = scopes.includes("workspaces") && chosen.length > 0 ? chosen : null;
    const made = await engine.clientKeys.create({
      name: name.trim(),
      scopes,
      workspaceUuids,
      expiresAt,
    });
    props.onLeave();
    props.onMade(made);
  });
  return (
    <div class="card">
      <Form
        action={make}
        verb="Create key"
        isIncomplete={name.trim() === "" || scopes.length === 0}
        onLeave={props.onLeave}
      >
        <div class="fields">
          <TextField label="Program" placeholder="Open WebUI" value={name} onInput={setName} />
          <Choice label="Expires" options={DAYS} value={days} onChoose={setDays} />
        </div>
        <Checks label="Access to" options={SCOPES} chosen={scopes} onChange={setScopes} />
        {scopes.includes("workspaces") && (
          <Checks
            label="Workspaces (all, if you choose none)"
            options={workspaces.value?.map((it) => [it.uuid, it.name] as const) ?? []}
            chosen={chosen}
            onChange={setChosen}
          />
        )}
      </Form>
    </div>
  );
}
