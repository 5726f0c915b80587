/**
 * A part of a Rich Text Format file. A control symbol, such as `\~`, is a word of one character. Bytes are those of a Latin-1
 * text.
 */
export type RtfToken =
  | { kind: "open" | "close" }
  | { kind: "bytes"; bytes: string }
  | { kind: "word"; word: string; value: number | undefined };

const SYMBOLS_OF_TEXT = ["{", "}", "\\"];

/** Reads a file from front to back. Binary data behind `\bin` is jumped over. */
export function* readRtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  // A word with its number and the blank that ends it, a byte in hexadecimal, or a symbol; a brace; breaks, which are no text.
  const marks = /\\(?:([A-Za-z]{1,32})(-\d{0,9}|\d{0,10}) ?|'(.{0,2})|(.?))|[{}]|[\r\n\0]/gs;
  for (let from = 0; from < source.length; from = marks.lastIndex) {
    marks.lastIndex = from;
    const found = marks.exec(source);
    const plain = source.slice(from, found?.index);
    if (plain !== "") yield { kind: "bytes", bytes: plain };
    if (!found) return;
    const [mark, word, number = "", hexadecimal, symbol] = found;
    if (mark === "{") yield { kind: "open" };
    else if (mark === "}") yield { kind: "close" };
    else if (word === "bin") marks.lastIndex += Math.max(0, Number(number) || 0);
    else if (word !== undefined) yield { kind: "word", word, value: toValue(number) };
    else if (hexadecimal !== undefined) yield { kind: "bytes", bytes: toByte(hexadecimal) };
    else if (symbol !== undefined) yield toSymbol(symbol);
  }
}

function toValue(number: string): number | undefined {
  return number === "" || number === "-" ? undefined : Number(number);
}

function toByte(hexadecimal: string): string {
  const byte = Number.parseInt(hexadecimal, 16);
  return Number.isNaN(byte) ? " " : String.fromCharCode(byte & 0xff);
}

function toSymbol(symbol: string): RtfToken {
  if (SYMBOLS_OF_TEXT.includes(symbol)) return { kind: "bytes", bytes: symbol };
  // A backslash at the end of a line ends a paragraph.
  const word = symbol === "\n" || symbol === "\r" ? "par" : symbol;
  return { kind: "word", word, value: undefined };
}
