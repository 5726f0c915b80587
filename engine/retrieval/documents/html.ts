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
  const page = new PageText(createLineCounter(source));
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

/** The line of an offset from 1, for offsets that only rise. A line ends with \n, \r\n or a lone \r, as for chunks. */
function createLineCounter(source: string): (offset: number) => number {
  let [at, line] = [0, 1];
  return (offset) => {
    for (; at < offset && at < source.length; at += 1) {
      const code = source.charCodeAt(at);
      const isPair = code === 13 && source.charCodeAt(at + 1) === 10;
      if (code === 10 || (code === 13 && !isPair)) line += 1;
    }
    return line;
  };
}
