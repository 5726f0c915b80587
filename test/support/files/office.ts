import { createZip, type ZipEntry } from "./zip.ts";

const RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: ZipEntry = { name: "[Content_Types].xml", content: "<Types/>" };

/** A relationship as a part lists it; `mode` is `External` for one that leads out of the archive. */
export interface Related {
  id: string;
  type: string;
  target: string;
  mode?: string;
}

/** The list of a part's relationships, as an entry of its archive. */
export function relationshipsOf(part: string, related: readonly Related[]): ZipEntry {
  const slash = part.lastIndexOf("/") + 1;
  const rows = related.map(
    ({ id, type, target, mode }) =>
      `<Relationship Id="${id}" Type="${RELATIONSHIP}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ""}/>`,
  );
  return {
    name: `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`,
    content: `<Relationships>${rows.join("")}</Relationships>`,
  };
}

/** The part with a document's own title. */
export function coreTitle(title: string): ZipEntry {
  return {
    name: "docProps/core.xml",
    content: `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`,
  };
}

/** A workbook: the XML below `sheetData` of each sheet, by its name. */
export function xlsxOf(
  sheets: Readonly<Record<string, string>>,
  {
    shared = "",
    styles = "",
    more = [],
  }: { shared?: string; styles?: string; more?: ZipEntry[] } = {},
): Buffer {
  const names = Object.keys(sheets);
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`);
  const related = names.map((_, at) => ({
    id: `r${at}`,
    type: "worksheet",
    target: `worksheets/sheet${at}.xml`,
  }));
  const book = "xl/workbook.xml";
  return createZip([
    TYPES,
    relationshipsOf("", [{ id: "r1", type: "officeDocument", target: book }]),
    { name: book, content: `<workbook><sheets>${list.join("")}</sheets></workbook>` },
    relationshipsOf(book, [
      ...related,
      { id: "s", type: "sharedStrings", target: "sharedStrings.xml" },
      { id: "t", type: "styles", target: "/xl/styles.xml" },
    ]),
    { name: "xl/sharedStrings.xml", content: `<sst>${shared}</sst>` },
    { name: "xl/styles.xml", content: `<styleSheet>${styles}</styleSheet>` },
    ...Object.values(sheets).map((rows, at) => ({
      name: `xl/worksheets/sheet${at}.xml`,
      content: `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    })),
    ...more,
  ]);
}

/** A presentation: the XML of the shapes of each slide. */
export function pptxOf(slides: readonly string[], more: readonly ZipEntry[] = []): Buffer {
  const main = "ppt/presentation.xml";
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`);
  return createZip([
    TYPES,
    relationshipsOf("", [{ id: "r1", type: "officeDocument", target: main }]),
    {
      name: main,
      content: `<p:presentation><p:sldIdLst>${ids.join("")}</p:sldIdLst></p:presentation>`,
    },
    relationshipsOf(
      main,
      slides.map((_, at) => ({ id: `r${at}`, type: "slide", target: `slides/slide${at}.xml` })),
    ),
    ...slides.map((shapes, at) => ({
      name: `ppt/slides/slide${at}.xml`,
      content: `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    })),
    ...more,
  ]);
}

/** A shape of a slide, with a paragraph for each text. */
export function shapeOf(placeholder: string, ...texts: string[]): string {
  const paragraphs = texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvPr><p:ph type="${placeholder}"/></p:nvPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

/** An OpenDocument text with this body. */
export function odtOf(
  body: string,
  { title = "", manifest = "", more = [] as ZipEntry[] } = {},
): Buffer {
  return createZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text", method: 0 },
    {
      name: "META-INF/manifest.xml",
      content: `<manifest:manifest>${manifest}</manifest:manifest>`,
    },
    {
      name: "content.xml",
      content: `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    },
    {
      name: "meta.xml",
      content: `<office:document-meta><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
    },
    ...more,
  ]);
}

/** A book with these chapters: the body of each. */
export function epubOf(
  chapters: readonly string[],
  { title = "", more = [] as ZipEntry[] } = {},
): Buffer {
  const items = chapters.map((_, at) => `<item id="c${at}" href="text/c%20${at}.xhtml"/>`);
  const spine = chapters.map((_, at) => `<itemref idref="c${at}"/>`);
  return createZip([
    { name: "mimetype", content: "application/epub+zip", method: 0 },
    {
      name: "META-INF/container.xml",
      content:
        '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    },
    {
      name: "OEBPS/book.opf",
      content: `<package><metadata><dc:title>${title}</dc:title></metadata><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
    },
    ...chapters.map((body, at) => ({
      name: `OEBPS/text/c ${at}.xhtml`,
      content: `<?xml version="1.0"?><html><head><title/></head><body>${body}</body></html>`,
    })),
    ...more,
  ]);
}

/** An RTF with this behind its head. */
export function rtfOf(body: string): Buffer {
  const fonts =
    "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 Mincho;}}";
  return Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0${fonts}${body}}`, "latin1");
}
