import type { Language } from "../texts/languages.ts";
import type { MailTexts } from "./mail-kinds.ts";
import { GERMAN } from "./texts-de.ts";
import { ENGLISH } from "./texts-en.ts";
import { SPANISH } from "./texts-es.ts";
import { FRENCH } from "./texts-fr.ts";
import { JAPANESE } from "./texts-ja.ts";
import { PORTUGUESE } from "./texts-pt-br.ts";

/** The mails of every language. */
export const TEXTS: Readonly<Record<Language, MailTexts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  "pt-BR": PORTUGUESE,
  ja: JAPANESE,
};
