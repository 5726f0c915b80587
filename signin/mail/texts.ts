import type { Language } from "../texts/languages.ts";
import type { MailTexts } from "./mail-kinds.ts";
import { ENGLISH } from "./texts-en.ts";

const TEXTS: Partial<Record<Language, MailTexts>> = {
  en: ENGLISH,
};

/** The mails of a language. */
export function textsOf(language: Language): MailTexts {
  return TEXTS[language] ?? ENGLISH;
}
