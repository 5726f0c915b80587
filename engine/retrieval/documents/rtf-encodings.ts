// The encodings of Rich Text Format, by the names that the platform knows.

const CODE_PAGES: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
};

const CHARSETS: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10_000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

/** The encoding of a code page; an unknown one is taken for the usual one. */
export function labelOfCodePage(page: number): string {
  if (page >= 1250 && page <= 1258) return `windows-${page}`;
  return CODE_PAGES[page] ?? "windows-1252";
}

/** The encoding of a font; undefined if it follows the document. */
export function labelOfCharset(charset: number): string | undefined {
  const page = CHARSETS[charset];
  return page === undefined ? undefined : labelOfCodePage(page);
}
