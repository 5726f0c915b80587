import { DOCUMENT_DEPTH_MAX, DOCUMENT_TITLE_CHARACTERS_MAX, RTF_FONTS_MAX } from "../limits.ts";
import type { DocumentText } from "./document-page.ts";
import tables from "./rtf-tables.json" with { type: "json" };
import { type RtfToken, readRtfTokens } from "./rtf-tokens.ts";
import { TextBlocks } from "./text-blocks.ts";

/** Text and title of a Rich Text Format file. Pictures and embedded objects are skipped unread. */
export function readRtf(bytes: Uint8Array): DocumentText {
  const reader = new RtfReader();
  for (const token of readRtfTokens(bytes)) {
    if (reader.isDone) break;
    reader.take(token);
  }
  return reader.finish();
}

interface Group {
  /** Where its text belongs. */
  goal: "text" | "title" | "info" | "fonts" | "nowhere";
  /** How many characters stand in for one of Unicode. */
  substitutes: number;
  encoding: string;
  /** Hidden, or deleted while changes were tracked. */
  isHidden: boolean;
}

const NOWHERE = new Set(tables.nowhere);
const BREAKS = new Set(tables.breaks);
const CHARACTERS = new Map(Object.entries(tables.characters));
// Encodings by the names that the platform knows. A font whose charset has none follows the document.
const CODE_PAGES = new Map(Object.entries(tables.codePages));
const CHARSETS = new Map(Object.entries(tables.charsets));
const USUAL_ENCODING = "windows-1252";

class RtfReader {
  readonly #blocks = new TextBlocks();
  readonly #groups: Group[] = [];
  readonly #fonts = new Map<number, string>();
  readonly #decoders = new Map<string, TextDecoder>();
  #group: Group = {
    goal: "text",
    substitutes: 1,
    encoding: USUAL_ENCODING,
    isHidden: false,
  };
  #font = 0;
  #title = "";
  /** Bytes of a text that is not yet decoded: a character may take two. */
  #bytes = "";
  /** How many bytes to skip after a character of Unicode. */
  #skip = 0;
  #isIgnorable = false;

  get isDone(): boolean {
    return this.#blocks.isFull;
  }

  take(token: RtfToken): void {
    if (token.kind === "bytes") {
      if (this.#isShown) this.#bytes += token.bytes.slice(this.#skip);
      this.#skip = Math.max(0, this.#skip - token.bytes.length);
      return;
    }
    if (token.kind === "word" && token.word === "u") {
      this.#takeUnicode(token.value ?? 0);
      return;
    }
    this.#flush();
    this.#skip = 0;
    switch (token.kind) {
      case "open":
        if (this.#groups.length >= DOCUMENT_DEPTH_MAX) {
          throw new Error("The document is nested too deeply.");
        }
        this.#groups.push(this.#group);
        this.#group = { ...this.#group };
        return;
      case "close":
        this.#group = this.#groups.pop() ?? this.#group;
        this.#isIgnorable = false;
        return;
      case "word":
        this.#takeWord(token.word, token.value);
        return;
    }
  }

  finish(): DocumentText {
    this.#flush();
    const { text } = this.#blocks.finish();
    return { title: this.#title, pages: [{ text, heading: "", kind: "text" }] };
  }

  get #isShown(): boolean {
    const { goal, isHidden } = this.#group;
    return (goal === "text" || goal === "title") && !isHidden;
  }

  #takeWord(word: string, value: number | undefined): void {
    const isIgnorable = this.#isIgnorable;
    this.#isIgnorable = word === "*";
    if (word === "*") return;
    const group = this.#group;
    // A destination that readers may ignore; a shape's text is the one that matters.
    if (NOWHERE.has(word) || (isIgnorable && word !== "shptxt")) {
      group.goal = "nowhere";
      return;
    }
    if (word === "fonttbl") group.goal = "fonts";
    else if (word === "info") group.goal = "info";
    else if (word === "title" && group.goal === "info") group.goal = "title";
    else if (word === "uc") group.substitutes = Math.min(SUBSTITUTES_MAX, Math.max(0, value ?? 1));
    else if (word === "v" || word === "deleted") group.isHidden = value !== 0;
    else if (word === "plain") group.isHidden = false;
    else if (!this.#takeEncoding(word, value)) this.#takeCharacter(word);
  }

  #takeEncoding(word: string, value = 0): boolean {
    const group = this.#group;
    if (word === "ansicpg") group.encoding = CODE_PAGES.get(`${value}`) ?? USUAL_ENCODING;
    else if (word === "mac") group.encoding = "macintosh";
    else if (word === "f" && group.goal === "fonts") this.#font = value;
    else if (word === "f") group.encoding = this.#fonts.get(value) ?? this.#documentEncoding;
    else if (word === "fcharset" && group.goal === "fonts") this.#addFont(value);
    else return false;
    return true;
  }

  // The outermost group has what the head of the file says.
  get #documentEncoding(): string {
    return this.#groups[1]?.encoding ?? this.#group.encoding;
  }

  #addFont(charset: number): void {
    const label = CHARSETS.get(`${charset}`);
    if (label !== undefined && this.#fonts.size < RTF_FONTS_MAX) this.#fonts.set(this.#font, label);
  }

  #takeCharacter(word: string): void {
    if (!this.#isShown) return;
    if (BREAKS.has(word)) this.#blocks.break();
    else if (word === "cell" || word === "nestcell") this.#blocks.separate();
    else this.#add(CHARACTERS.get(word) ?? "");
  }

  #takeUnicode(value: number): void {
    this.#flush();
    this.#skip = this.#group.substitutes;
    // Signed 16 bits.
    if (this.#isShown) this.#add(String.fromCharCode(value & 0xffff));
  }

  #flush(): void {
    if (this.#bytes === "") return;
    const { encoding } = this.#group;
    const decoder = this.#decoders.get(encoding) ?? new TextDecoder(encoding);
    this.#decoders.set(encoding, decoder);
    this.#add(decoder.decode(Buffer.from(this.#bytes, "latin1")));
    this.#bytes = "";
  }

  #add(text: string): void {
    if (this.#group.goal === "text") this.#blocks.add(text);
    else this.#title += text.slice(0, DOCUMENT_TITLE_CHARACTERS_MAX - this.#title.length);
  }
}

const SUBSTITUTES_MAX = 100;
