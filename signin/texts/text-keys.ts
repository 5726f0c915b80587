import type { ENGLISH } from "./en.ts";

type SameKeys<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string ? string : SameKeys<Texts[Key]>;
};

/** Every text of the page and of the failure page, in one language. */
export type PageTexts = SameKeys<typeof ENGLISH>;
