import { GERMAN } from "./de.ts";
import { ENGLISH } from "./en.ts";
import { SPANISH } from "./es.ts";
import { FRENCH } from "./fr.ts";
import { JAPANESE } from "./ja.ts";
import type { Language } from "./languages.ts";
import { PORTUGUESE } from "./pt-br.ts";
import type { PageTexts } from "./text-keys.ts";

/** The page in each language. */
export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  "pt-BR": PORTUGUESE,
  ja: JAPANESE,
};
