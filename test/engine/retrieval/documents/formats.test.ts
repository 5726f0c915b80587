import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DocumentKind } from "../../../../engine/retrieval/documents/document-kind.ts";
import type { DocumentText } from "../../../../engine/retrieval/documents/document-page.ts";
import { readDocumentText } from "../../../../engine/retrieval/documents/document-text.ts";
import {
  coreTitle,
  epubOf,
  odtOf,
  pptxOf,
  relationshipsOf,
  rtfOf,
  shapeOf,
  xlsxOf,
} from "../../../support/files/documents.ts";

function read(kind: DocumentKind, content: Uint8Array | string): Promise<DocumentText> {
  return readDocumentText(kind, Buffer.from(content as string));
}

async function textOf(kind: DocumentKind, content: Uint8Array | string): Promise<string> {
  const { pages } = await read(kind, content);
  return pages.map(({ text }) => text).join("\n\n");
}

describe("A workbook", () => {
  const row = (...cells: string[]) => `<row>${cells.join("")}</row>`;
  const shared = (at: number) => `<c t="s"><v>${at}</v></c>`;

  it("is read sheet by sheet in their order, each with its name and its rows as lines", async () => {
    const book = xlsxOf(
      {
        "Budget &amp; plan": row(shared(0), shared(1)) + row(shared(1), "<c><v>1200.5</v></c>"),
        Rest: row('<c t="inlineStr"><is><t>in </t><t>line</t></is></c>'),
      },
      {
        shared:
          "<si><t>Item</t></si><si><r><t>Am</t></r><r><t>ount</t></r><rPh><t>no</t></rPh></si>",
        more: [coreTitle("Year &lt;2026&gt;")],
      },
    );
    const { title, pages } = await read("xlsx", book);
    assert.equal(title, "Year <2026>");
    assert.deepEqual(pages, [
      {
        text: "Budget & plan\nItem | Amount\nAmount | 1200.5",
        heading: "Budget & plan",
        kind: "text",
      },
      { text: "Rest\nin line", heading: "Rest", kind: "text" },
    ]);
  });

  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="&quot;days&quot; yyyy"/><numFmt numFmtId="171" formatCode="[h]:mm"/><numFmt numFmtId="172" formatCode="0.0 &quot;mdy&quot;"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="20"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs>';
  for (const [cell, shown] of Object.entries({
    "<c><v>0.30000000000000004</v></c>": "0.3",
    '<c s="1"><v>46053</v></c>': "2026-01-31",
    '<c s="2"><v>46054.5625</v></c>': "2026-02-01 13:30:00",
    '<c s="3"><v>0.5</v></c>': "12:00:00",
    '<c s="4"><v>46053</v></c>': "2026-01-31",
    '<c s="5"><v>1.5</v></c>': "1.5",
    '<c s="6"><v>7</v></c>': "7",
    '<c s="1"><v>-5</v></c>': "-5",
    '<c s="1"><v>1e300</v></c>': "1e+300",
    '<c s="99"><v>8</v></c>': "8",
    '<c t="b"><v>1</v></c>': "TRUE",
    '<c t="e"><v>#REF!</v></c>': "#REF!",
    '<c t="str"><f>A1&amp;"x"</f><v>ab\n c</v></c>': "ab c",
    '<c t="s"><v>9</v></c>': "",
    "<c><v>text</v></c>": "text",
    '<c r="C1"><v>1</v></c><c r="F1"><v>2</v></c>': "1 | | | 2",
    '<c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c>': `1${" |".repeat(17)} 2`,
  })) {
    it(`shows ${cell} as ${shown}`, async () => {
      const text = await textOf("xlsx", xlsxOf({ S: `<row>${cell}</row>` }, { styles }));
      assert.equal(text, shown === "" ? "S" : `S\n${shown}`);
    });
  }
});

describe("A presentation", () => {
  it("is read slide by slide with its notes, and takes its title from the first slide", async () => {
    const table =
      "<a:tbl><a:tr><a:tc><a:p><a:t>a1</a:t></a:p></a:tc><a:tc><a:p><a:t>b1</a:t></a:p></a:tc></a:tr></a:tbl>";
    const deck = pptxOf(
      [
        shapeOf("ctrTitle", "Zebra", "report") +
          shapeOf("body", "First", "Second") +
          shapeOf("sldNum", "1"),
        `${table}<mc:AlternateContent><mc:Choice>${shapeOf("body", "new")}</mc:Choice><mc:Fallback>${shapeOf("body", "old")}</mc:Fallback></mc:AlternateContent>`,
      ],
      [
        relationshipsOf("ppt/slides/slide0.xml", [
          { id: "n", type: "notesSlide", target: "../notesSlides/n.xml" },
        ]),
        {
          name: "ppt/notesSlides/n.xml",
          content: `<p:notes>${shapeOf("body", "Say it")}</p:notes>`,
        },
        coreTitle("PowerPoint Presentation"),
      ],
    );
    const { title, pages } = await read("pptx", deck);
    assert.equal(title, "Zebra report");
    assert.deepEqual(
      pages.map(({ heading, text }) => [heading, text]),
      [
        ["Slide 1: Zebra report", "Slide 1: Zebra report\nFirst\nSecond\nNotes:\nSay it"],
        ["Slide 2", "Slide 2\na1 | b1\nnew"],
      ],
    );
  });
});

describe("An OpenDocument text", () => {
  it("keeps headings, lists and rows, without comments and deleted text", async () => {
    const body =
      "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>" +
      '<text:h text:outline-level="2">Part<text:s text:c="3"/>one</text:h><text:p>Text<office:annotation><text:p>comment</text:p></office:annotation> here</text:p>' +
      "<text:list><text:list-item><text:p>x</text:p></text:list-item><text:list-item><text:p>y</text:p></text:list-item></text:list>" +
      "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>";
    const { title, pages } = await read("odt", odtOf(body, { title: "Named" }));
    assert.equal(title, "Named");
    assert.equal(pages[0]?.text, "## Part one\n\nText here\n\n- x\n- y\n\na | b");
  });
});

describe("A book", () => {
  it("is read chapter by chapter, without its scripts", async () => {
    const { title, pages } = await read(
      "epub",
      epubOf(["<h1>One</h1><script>evil()</script><p>a&nbsp;b</p>", "<p>two</p>"], { title: "B" }),
    );
    assert.equal(title, "B");
    assert.deepEqual(
      pages.map(({ text }) => text),
      ["# One\n\na b", "two"],
    );
  });

  it("may have disguised fonts, but no protected chapters", async () => {
    const sealed = (path: string) => ({
      name: "META-INF/encryption.xml",
      content: `<encryption><enc:CipherReference URI="${path}"/></encryption>`,
    });
    const readable = epubOf(["<p>x</p>"], { more: [sealed("OEBPS/font.ttf")] });
    assert.equal(await textOf("epub", readable), "x");
    const locked = epubOf(["<p>x</p>"], { more: [sealed("OEBPS/text/c%200.xhtml")] });
    await assert.rejects(read("epub", locked), /^Error: The document is encrypted\.$/);
  });
});

describe("A Rich Text Format file", () => {
  for (const [body, text] of Object.entries({
    "one\\par two\\line three\ntext": "one\ntwo\nthreetext",
    "w\\'f6rld \\emdash  \\u8364? \\u-10179?\\u-8704?": "wörld — € 😀",
    "\\uc3\\u8364abcd": "€d",
    "\\f1\\'cf\\'f0\\'e8 \\f2\\'93\\'fa\\'96\\'7b": "При 日本",
    "a{\\b b}{\\v hidden}{\\deleted gone}c": "abc",
    "{\\pict\\wmetafile8 0102}{\\*\\blip no}x": "x",
    "{\\object{\\*\\objclass c}{\\*\\objdata 01050000}{\\result shown}}": "shown",
    '{\\field{\\*\\fldinst HYPERLINK "http://x"}{\\fldrslt link}}': "link",
    "\\trowd a\\cell b\\cell\\row c": "a | b\nc",
    "\\{x\\}\\\\": "{x}\\",
    "a\\bin4 }}}}b": "ab",
    "a\\bin99999999999 b": "a",
    "a\\bin-5 b": "ab",
    "}}}}b": "b",
    "{{{{b": "b",
    "\\'zzq": "q",
  })) {
    it(`reads ${body}`, async () => assert.equal((await textOf("rtf", rtfOf(body))).trim(), text));
  }

  it("names its title", async () => {
    const { title } = await read("rtf", rtfOf("{\\info{\\title M\\'e4rz}{\\author x}}y"));
    assert.equal(title, "März");
  });
});
