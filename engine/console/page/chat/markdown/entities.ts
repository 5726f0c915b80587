import NAMED from "./entities.json" with { type: "json" };

const ENTITY = /&([a-z]{2,8});/g;

/** A text with its named entities as the characters that they mean; the lexer has decoded the numbered ones. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (written, name) =>
    Object.hasOwn(NAMED, name) ? NAMED[name as keyof typeof NAMED] : written,
  );
}
