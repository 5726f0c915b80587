import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readHtml } from "../../../../engine/retrieval/documents/html.ts";
import { chunkDocument } from "../../../../engine/retrieval/index/prepare-document.ts";

async function textOf(source: string | Uint8Array): Promise<string> {
  const { pages } = await readHtml(Buffer.from(source as string));
  return pages[0]?.text ?? "";
}

describe("A web page", () => {
  for (const [source, text] of Object.entries({
    "<p>one</p><p>two</p>": "one\n\ntwo",
    "<p>a <b>b</b>c<i> d</i></p>": "a bc d",
    "<h2>A\n  b</h2>c": "## A b\n\nc",
    "<ul><li>x<li>y<ol><li>z</ol></ul>": "- x\n- y\n\n- z",
    "<table><tr><th>A</th>\n<th>B</th></tr>\n<tr><td>1<td>2</table>": "A | B\n1 | 2",
    "<pre>\n a  b\n\n# c\n</pre>d": "```\n a  b\n\n# c\n```\n\nd",
    "a&amp;b &lt;c&gt; &euro; &#x1F600; &unknown; &": "a&b <c> € 😀 &unknown; &",
    "<script>var x = '<p>no</p>';</script><style>p{}</style><p>yes</p>": "yes",
    "<noscript>no</noscript><template><p>no</p></template><svg><text>no</text></svg>yes": "yes",
    "<img alt='a cat' src='http://127.0.0.1/x.png'>": "a cat",
    "<!-- no --><![CDATA[no]]>yes": "yes",
    "<p>unclosed <b>everywhere": "unclosed everywhere",
    "line one\nline two": "line one\nline two",
    "a<br>b<br/>c": "a\nb\nc",
    "</p></div></x>a": "a",
    "": "",
  })) {
    it(`reads ${JSON.stringify(source)}`, async () => assert.equal(await textOf(source), text));
  }

  it("has the title that it names, and never a script's", async () => {
    const page =
      "<svg><title>no</title></svg><title>A\n page &amp; its <b>title</title><title>no</title><p>x";
    assert.deepEqual(
      chunkDocument(await readHtml(Buffer.from(page))).title,
      "A page & its <b>title",
    );
    const heading = chunkDocument(await readHtml(Buffer.from("<h1>Only heading</h1><p>x")));
    assert.equal(heading.title, "Only heading");
  });

  it("keeps the lines of its source, and its headings, in its chunks", async () => {
    const filler = `<p>${"word ".repeat(350)}</p>\n`;
    const page = `<html>\n<h1>Top</h1>\n${filler}<h2>Zebra</h2>\n\n<p>stripes\nand more</p>`;
    const { chunks } = chunkDocument(await readHtml(Buffer.from(page)));
    const last = chunks.at(-1);
    assert.equal(last?.heading, "Top > Zebra");
    assert.deepEqual([last?.startLine, last?.endLine], [4, 7]);
    assert.equal(chunks[0]?.startLine, 2);
  });

  it("is read in the encoding that it has", async () => {
    const latin = (head: string) => Buffer.from(`${head}<p>f\xfcr</p>`, "latin1");
    assert.equal(await textOf("<p>für</p>"), "für");
    assert.equal(await textOf(latin("<meta charset=iso-8859-1>")), "für");
    assert.equal(await textOf(latin("<meta charset=unknown>")), "für");
    assert.equal(await textOf(latin("<meta charset=utf-8>")), "für");
    assert.equal(await textOf(latin("")), "für");
    const cyrillic = Buffer.from('<?xml version="1.0" encoding="koi8-r"?><p>\xf4</p>', "latin1");
    assert.equal(await textOf(cyrillic), "Т");
    assert.equal(await textOf(Buffer.from("\ufeff<p>für</p>", "utf16le")), "für");
  });

  it("may close its tags as XML does", async () => {
    const page =
      '<?xml version="1.0"?><html><head><title/><script src="x"/></head><p>a<![CDATA[<b>]]></p></html>';
    assert.equal(await textOf(page), "a<b>");
  });

  it("never has more lines than its source, in a rising order", async () => {
    const piece = fc.constantFrom(
      ..."<p> </p> <pre> </pre> <td> <tr> <li> <h1> </h1> <br> \n \r\n \r text # ``` &amp; <script> </script> <title> </title>".split(
        /(?<=\S) /,
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const source = pieces.join("");
        const { pages } = await readHtml(Buffer.from(source));
        const [{ lines = [], text = "" } = {}] = pages;
        const count = source.split(/\r\n|\r|\n/).length;
        assert.equal(lines.length, text === "" ? lines.length : text.split("\n").length);
        lines.forEach((line, at) => {
          assert.ok(line >= (lines[at - 1] ?? 0) && line <= count, `${line} of ${count}`);
        });
      }),
    );
  });
});
