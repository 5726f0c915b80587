import { Parser, type ParserOptions } from "htmlparser2";
import { DOCUMENT_DEPTH_MAX, DOCUMENT_PIECE_CHARACTERS } from "../limits.ts";

/** Handles the parts of a text with tags. Names have no namespace prefix. */
export interface MarkupHandler {
  /** The names of elements that are left out, with all that they hold. */
  hidden?: ReadonlySet<string>;
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  /** A piece of text, its entities resolved; `at` is its offset in the source. */
  text?(text: string, at: number): void;
  /** Whether the reader needs no more. */
  isDone?(): boolean;
}

type Language = "xml" | "html" | "xhtml";

const OPTIONS: Readonly<Record<Language, ParserOptions>> = {
  xml: { xmlMode: true },
  html: {},
  xhtml: { recognizeSelfClosing: true, recognizeCDATA: true },
};

/**
 * Reads XML, or HTML with its rules for tags. Only the entities of HTML are known: those that a document defines stay as they
 * are written, so nothing multiplies and nothing is fetched. @throws if elements are nested too deeply.
 */
export async function readMarkup(
  pieces: AsyncIterable<string> | Iterable<string>,
  handler: MarkupHandler,
  language: Language,
): Promise<void> {
  let depth = 0;
  let hidden = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > DOCUMENT_DEPTH_MAX) throw new Error("The document is nested too deeply.");
        if (hidden > 0 || handler.hidden?.has(localName(name))) hidden += 1;
        else handler.open?.(localName(name), attributes);
      },
      onclosetag(name) {
        depth -= 1;
        if (hidden > 0) hidden -= 1;
        else handler.close?.(localName(name));
      },
      ontext(text) {
        if (hidden === 0) handler.text?.(text, parser.startIndex);
      },
    },
    OPTIONS[language],
  );
  for await (const piece of pieces) {
    // A short piece may stand for much text.
    for (let at = 0; at < piece.length; at += DOCUMENT_PIECE_CHARACTERS) {
      if (handler.isDone?.()) return;
      parser.write(piece.slice(at, at + DOCUMENT_PIECE_CHARACTERS));
    }
  }
  parser.end();
}

/** The attribute of this name, with any prefix. */
export function attributeOf(
  attributes: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name];
  const key = Object.keys(attributes).find((one) => localName(one) === name);
  return key === undefined ? undefined : attributes[key];
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
