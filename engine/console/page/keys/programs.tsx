import { useState } from "preact/hooks";
import type { ClientKey } from "../../../client/client.ts";
import { ValueView } from "../chat/value-view.tsx";
import { fallbackModel } from "../ui/fallback-model.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useWorkspace } from "../workspaces.ts";

/** The lines to paste into well-known programs, with a key and a model that it reaches. */
export function Programs({ apiKey, scopes }: { apiKey: string; scopes: ClientKey["scopes"] }) {
  const { name } = useWorkspace();
  const [chosen, setChosen] = useState("Open WebUI");
  const model = scopes.includes("workspaces") ? `workspace/${name}` : fallbackModel.value?.id;
  const programs = programLines(`${location.origin}/openai/v1`, apiKey, model ?? "MODEL");
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

/** The lines that connect well-known programs to OpenAI's interface, each with where they go. */
function programLines(baseUrl: string, key: string, model: string) {
  return [
    [
      "Open WebUI",
      "Admin Settings, Connections, OpenAI, Add connection",
      `URL: ${baseUrl}\nAPI key: ${key}`,
    ],
    [
      "Continue",
      "config.yaml, below models",
      `- name: Roundhouse\n  provider: openai\n  model: ${model}\n  apiBase: ${baseUrl}\n  apiKey: ${key}`,
    ],
    [
      "aider",
      "A terminal",
      `export OPENAI_API_BASE="${baseUrl}"\nexport OPENAI_API_KEY="${key}"\naider --model "openai/${model}"`,
    ],
    [
      "Python",
      "A program that uses the openai package",
      `from openai import OpenAI\n\nclient = OpenAI(base_url="${baseUrl}", api_key="${key}")\nanswer = client.chat.completions.create(\n    model="${model}",\n    messages=[{"role": "user", "content": "Hello"}],\n)\nprint(answer.choices[0].message.content)`,
    ],
    [
      "curl",
      "A terminal",
      `curl ${baseUrl}/chat/completions \\\n  -H "Authorization: Bearer ${key}" \\\n  -H "Content-Type: application/json" \\\n  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
    ],
  ] as const;
}
