import type { Language } from "../texts/languages.ts";
import type { Texts } from "../texts/texts.ts";

/** What the page's script reads of `#facts`. */
export interface PageFacts {
  language: Language;
  texts: Texts["page"];
  /** Whether codes can be mailed. Without mail there is no sign-up and no reset here. */
  hasMail: boolean;
  /** Whether the page can make accounts by mailed codes. */
  canSignUp: boolean;
  /** Who may sign up, for a person; empty if every address may. */
  signUpNote: string;
}
