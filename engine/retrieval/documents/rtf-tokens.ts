/** A part of a Rich Text Format file. A control symbol, such as `\~`, is a word of one character. */
export type RtfToken =
  | { kind: "open" | "close" }
  | { kind: "bytes"; bytes: Uint8Array }
  | { kind: "word"; word: string; value: number | undefined };

const OPEN = 0x7b;
const CLOSE = 0x7d;
const BACKSLASH = 0x5c;
const QUOTE = 0x27;
const MINUS = 0x2d;
const SPACE = 0x20;
const WORD_CHARACTERS_MAX = 32;
const NUMBER_CHARACTERS_MAX = 10;

const OPENED: RtfToken = { kind: "open" };
const CLOSED: RtfToken = { kind: "close" };

/** Reads a file from front to back. Binary data behind `\bin` is jumped over. */
export function* readRtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    at += 1;
    if (byte === OPEN) yield OPENED;
    else if (byte === CLOSE) yield CLOSED;
    else if (byte === BACKSLASH) {
      const control = readControl(bytes, at);
      at = control.end;
      if (control.token.kind === "word" && control.token.word === "bin") {
        at += Math.max(0, control.token.value ?? 0);
      } else yield control.token;
    } else if (!isBreak(byte)) {
      const from = at - 1;
      while (at < bytes.length && isPlain(bytes[at] ?? 0)) at += 1;
      yield { kind: "bytes", bytes: bytes.subarray(from, at) };
    }
  }
}

function readControl(bytes: Uint8Array, start: number): { token: RtfToken; end: number } {
  const first = bytes[start] ?? SPACE;
  if (!isLetter(first)) return readSymbol(bytes, start, first);
  let at = start;
  while (at - start < WORD_CHARACTERS_MAX && isLetter(bytes[at] ?? 0)) at += 1;
  const word = latin1(bytes, start, at);
  const digits = at;
  if (bytes[at] === MINUS) at += 1;
  while (at - digits < NUMBER_CHARACTERS_MAX && isDigit(bytes[at] ?? 0)) at += 1;
  const number = Number(latin1(bytes, digits, at));
  const value = at === digits || Number.isNaN(number) ? undefined : number;
  // A blank ends the word, and is no text.
  return { token: { kind: "word", word, value }, end: bytes[at] === SPACE ? at + 1 : at };
}

function readSymbol(
  bytes: Uint8Array,
  start: number,
  symbol: number,
): { token: RtfToken; end: number } {
  if (symbol === QUOTE) {
    const byte = Number.parseInt(latin1(bytes, start + 1, start + 3), 16);
    return {
      token: { kind: "bytes", bytes: Uint8Array.of(Number.isNaN(byte) ? SPACE : byte) },
      end: start + 3,
    };
  }
  const end = start + 1;
  if (symbol === OPEN || symbol === CLOSE || symbol === BACKSLASH) {
    return { token: { kind: "bytes", bytes: Uint8Array.of(symbol) }, end };
  }
  // A backslash at the end of a line ends a paragraph.
  const word = symbol === 10 || symbol === 13 ? "par" : String.fromCharCode(symbol);
  return { token: { kind: "word", word, value: undefined }, end };
}

// Text, as far as it has no mark and no break.
function isPlain(byte: number): boolean {
  return byte !== OPEN && byte !== CLOSE && byte !== BACKSLASH && !isBreak(byte);
}

function isBreak(byte: number): boolean {
  return byte === 10 || byte === 13 || byte === 0;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
