import { useState } from "preact/hooks";
import type { ClientKey } from "../../../client/client.ts";
import { ValueView } from "../chat/value-view.tsx";
import { fallbackModel } from "../ui/fallback-model.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useWorkspace } from "../workspaces.ts";
import { programLines } from "./program-lines.ts";

/** The lines to paste into well-known programs, with a key and a model that it reaches. */
export function Programs({ apiKey, scopes }: { apiKey: string; scopes: ClientKey["scopes"] }) {
  const { name } = useWorkspace();
  const [chosen, setChosen] = useState("Open WebUI");
  const model = scopes.includes("workspaces") ? `workspace/${name}` : fallbackModel.value?.id;
  const door = { baseUrl: `${location.origin}/openai/v1`, key: apiKey, model: model ?? "MODEL" };
  const programs = programLines(door);
  const [, place, lines] = programs.find(([program]) => program === chosen) ?? programs[0];
  return (
    <Tabs
      label="Programs"
      tabs={programs.map(([program]) => [program, program] as const)}
      current={chosen}
      onSelect={setChosen}
    >
      <ValueView label={place} value={lines} />
    </Tabs>
  );
}
