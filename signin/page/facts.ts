import type { Language } from "../texts/languages.ts";
import type { PageTexts } from "../texts/text-keys.ts";

/** What the page's script reads of `#facts`. */
export interface PageFacts {
  language: Language;
  texts: PageTexts;
  /** Whether codes can be mailed. Without mail there is no sign-up and no reset here. */
  hasMail: boolean;
}
