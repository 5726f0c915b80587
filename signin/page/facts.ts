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
  /** The identity of this browser that waits for the proof of an address. */
  pending?: PendingFacts | undefined;
}

/** What a person sees of a pending identity. */
export interface PendingFacts {
  /** The name of the provider. */
  provider: string;
  /** The address that the provider reports; empty if it reports none. */
  email: string;
  /** Where the browser goes once the account is made. */
  next: string;
}
