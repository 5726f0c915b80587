import { HTML_ENCODING_BYTES } from "../limits.ts";
import { decodeText } from "../text/decode.ts";
import { beginsWith } from "./document-kind.ts";
import type { DocumentText } from "./document-page.ts";
import { readMarkup } from "./markup.ts";
import { PageText } from "./page-text.ts";

const DECLARED_ENCODING = /(?:charset|encoding)\s{0,9}=\s{0,9}["']?([a-z0-9_:-]{1,40})/i;
const ENCODING_DEFAULT = "windows-1252";

/** Text and title of a web page. Scripts and styles are no text, and nothing that the page refers to is fetched. */
export async function readHtml(bytes: Uint8Array): Promise<DocumentText> {
  const source = decodePage(bytes);
  const lines = new LineCounter(source);
  const page = new PageText((at) => lines.lineAt(at));
  await readMarkup([source], page, isXml(bytes) ? "xhtml" : "html");
  const { title, text, numbers } = page.finish();
  return { title, pages: [{ text, heading: "", kind: "markdown", lines: numbers }] };
}

function decodePage(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  const head = Buffer.from(bytes.subarray(0, HTML_ENCODING_BYTES)).toString("latin1");
  const declared = DECLARED_ENCODING.exec(head)?.[1] ?? ENCODING_DEFAULT;
  return createDecoder(declared).decode(bytes);
}

// A page that declares an unknown encoding, or UTF-8 wrongly, is read as most old pages are.
function createDecoder(label: string): TextDecoder {
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding === "utf-8" ? new TextDecoder(ENCODING_DEFAULT) : decoder;
  } catch {
    return new TextDecoder(ENCODING_DEFAULT);
  }
}

function isXml(bytes: Uint8Array): boolean {
  return beginsWith(bytes, "<?xml") || beginsWith(bytes, "\xef\xbb\xbf<?xml");
}

/** The lines of a text by offset, for offsets that only rise. */
class LineCounter {
  readonly #source: string;
  #at = 0;
  #line = 1;

  constructor(source: string) {
    this.#source = source;
  }

  /** From 1. A line ends with \n, \r\n or a lone \r, as for chunks. */
  lineAt(offset: number): number {
    for (; this.#at < offset && this.#at < this.#source.length; this.#at += 1) {
      const code = this.#source.charCodeAt(this.#at);
      const isPair = code === 13 && this.#source.charCodeAt(this.#at + 1) === 10;
      if (code === 10 || (code === 13 && !isPair)) this.#line += 1;
    }
    return this.#line;
  }
}
