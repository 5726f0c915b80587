import { byId } from "./dom.ts";

// Written by the server, with the marks of the providers that are configured.
const written = [...byId("providers").querySelectorAll("a")];
const NAMES: Readonly<Record<string, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Google Gemini",
  ...Object.fromEntries(written.map(({ dataset }) => [dataset.provider, dataset.name])),
};

/** The links that sign in through each configured provider. */
export function providerLinks(): Node[] {
  return written.map((link) => link.cloneNode(true));
}

/** The name of a provider of sign-ins or of API keys. */
export function providerName(slug: string): string {
  return NAMES[slug] ?? slug;
}

/** The mark of a configured provider. */
export function providerMark(slug: string): Node | undefined {
  const link = written.find(({ dataset }) => dataset.provider === slug);
  return link?.querySelector("svg")?.cloneNode(true);
}
