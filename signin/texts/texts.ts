import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import type { Language } from "./languages.ts";
import ptBr from "./pt-BR.json" with { type: "json" };

/** All texts in one language, for the page and for mails. English has the keys; `{name}` in a text stands for a value. */
export type Texts = typeof en;

/** The texts of every language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, "pt-BR": ptBr, ja };
