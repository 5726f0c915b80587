/** What a program needs to reach the engine. */
interface Door {
  /** The base address of OpenAI's interface. */
  baseUrl: string;
  key: string;
  /** A model that the key reaches. */
  model: string;
}

/** The lines that connect well-known programs, each with where they go. */
export function programLines({ baseUrl, key, model }: Door) {
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
      "A program that uses the package openai",
      `from openai import OpenAI\n\nclient = OpenAI(base_url="${baseUrl}", api_key="${key}")\nanswer = client.chat.completions.create(\n    model="${model}",\n    messages=[{"role": "user", "content": "Hello"}],\n)\nprint(answer.choices[0].message.content)`,
    ],
    [
      "curl",
      "A terminal",
      `curl ${baseUrl}/chat/completions \\\n  -H "Authorization: Bearer ${key}" \\\n  -H "Content-Type: application/json" \\\n  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
    ],
  ] as const;
}
