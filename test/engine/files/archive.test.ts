import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MIB } from "../../../shared/units.ts";
import { createDocx, createZip, DOCX_ENTRIES } from "../../support/files/documents.ts";
import {
  faultOf,
  manyEntries,
  noise,
  sayingCount,
  zeros,
  zip64End,
  zip64Extra,
} from "./archives.ts";

describe("archives that are not", () => {
  const honest = createDocx();
  const bomb = zeros(10 * MIB);
  const crowded = createZip(manyEntries(70_000));
  const cases: [string, Uint8Array, RegExp][] = [
    // Names.
    ["traversal", createDocx([{ name: "../evil.xml" }]), /damaged/],
    ["traversal inside", createDocx([{ name: "word/../../evil.xml" }]), /damaged/],
    ["traversal by backslash", createDocx([{ name: "..\\evil.xml" }]), /damaged/],
    ["absolute", createDocx([{ name: "/etc/passwd" }]), /damaged/],
    ["absolute on Windows", createDocx([{ name: "C:/evil.xml" }]), /damaged/],
    ["absolute by backslash", createDocx([{ name: "\\\\server\\evil.xml" }]), /damaged/],
    ["dot segment", createDocx([{ name: "word/./a.xml" }]), /unsafe name/],
    ["empty segment", createDocx([{ name: "word//a.xml" }]), /unsafe name/],
    ["no name", createDocx([{ name: "" }]), /unsafe name/],
    ["NUL in a name", createDocx([{ name: "a.xml\0.png" }]), /unsafe name/],
    ["duplicate", createDocx([{ name: "word/document.xml", content: "<other/>" }]), /two entries/],
    ["duplicate but for case", createDocx([{ name: "WORD/Document.xml" }]), /two entries/],
    // Kinds.
    [
      "link",
      createDocx([{ name: "link", content: "/etc/passwd", mode: 0o120777 }]),
      /no plain file/,
    ],
    ["device", createDocx([{ name: "zero", mode: 0o020666 }]), /no plain file/],
    ["FIFO", createDocx([{ name: "fifo", mode: 0o010644 }]), /no plain file/],
    [
      "encrypted",
      createDocx([{ name: "a.xml", content: "x", method: 0, flags: 1, says: { packed: 13 } }]),
      /encrypted|damaged/,
    ],
    [
      "strongly encrypted",
      createDocx([{ name: "a.xml", content: "x", flags: 0x41 }]),
      /encrypted|damaged/,
    ],
    ["masked directory", createDocx([{ name: "a.xml", content: "x", flags: 0x2000 }]), /encrypted/],
    [
      "other compression",
      createDocx([{ name: "a.xml", content: "x", method: 12 }]),
      /unknown compression/,
    ],
    // Sizes.
    ["70,000 entries", crowded, /too many|not whole/],
    ["70,000 entries of which it says 3", sayingCount(crowded, 3), /not whole/],
    [
      "65,535 entries, the ZIP64 sentinel",
      createZip(DOCX_ENTRIES, { says: { count: 0xffff } }),
      /too many/,
    ],
    ["2,001 entries", createZip(manyEntries(2_001)), /too many/],
    [
      "a bomb of 1000 to 1",
      createDocx([{ name: "bomb.xml", content: bomb }]),
      /unpacks to too much/,
    ],
    [
      "many small bombs",
      createDocx(
        Array.from({ length: 200 }, (_, at) => ({
          name: `${at}.xml`,
          content: bomb.subarray(0, 100_000),
        })),
      ),
      /unpacks to too much/,
    ],
    [
      "100 MiB and one byte",
      createDocx([
        {
          name: "a.bin",
          content: "x",
          method: 0,
          says: { packed: 100 * MIB, unpacked: 100 * MIB },
        },
      ]),
      /too much|damaged/,
    ],
    // Lies.
    [
      "a bomb that says it is small",
      createDocx([{ name: "a.xml", content: bomb, says: { unpacked: 100 } }]),
      /damaged/,
    ],
    [
      "a bomb that says it is less",
      createDocx([{ name: "a.xml", content: bomb, says: { unpacked: 1_000_000 } }]),
      /damaged/,
    ],
    [
      "an entry that says it is more",
      createDocx([{ name: "a.xml", content: "xxxx", says: { unpacked: 5 } }]),
      /damaged/,
    ],
    [
      "an entry that says it ends elsewhere",
      createDocx([{ name: "a.xml", content: "x".repeat(99), says: { packed: 2 } }]),
      /damaged/,
    ],
    [
      "an entry that goes on after the end",
      createDocx([
        { name: "a.xml", content: "x", method: 0, says: { packed: 9_000, unpacked: 9_000 } },
      ]),
      /damaged|overlap/,
    ],
    [
      "a stored entry of two sizes",
      createDocx([{ name: "a.xml", content: "x", method: 0, says: { packed: 1, unpacked: 2 } }]),
      /damaged/,
    ],
    [
      "a local header that says another size",
      createDocx([{ name: "a.xml", content: "x", localSays: { unpacked: 1_000_000 } }]),
      /contradicts/,
    ],
    [
      "a local header that says another name",
      createDocx([{ name: "a.xml", content: "x", localSays: { name: "b.xml" } }]),
      /contradicts/,
    ],
    [
      "a local header that says another compression",
      createDocx([{ name: "a.xml", content: "x", localSays: { method: 0 } }]),
      /contradicts/,
    ],
    [
      "two entries on the same data",
      createDocx([{ name: "a.xml", content: "x", says: { offset: 0 } }]),
      /overlap|contradicts/,
    ],
    ["an entry inside another", overlapping(), /overlap|contradicts|damaged/],
    ["no deflated data", broken(createDocx([{ name: "a.xml", content: noise(999) }])), /damaged/],
    // ZIP64.
    [
      "size sentinels without a record",
      createDocx([{ name: "a.xml", content: "x", says: { unpacked: 0xffffffff } }]),
      /too much|damaged/,
    ],
    [
      "all sentinels without a record",
      createDocx([
        {
          name: "a.xml",
          content: "x",
          says: { packed: 0xffffffff, unpacked: 0xffffffff, offset: 0xffffffff },
        },
      ]),
      /too much|damaged/,
    ],
    [
      "size sentinels with a record that lies",
      createDocx([
        { name: "a.xml", content: "x", says: { unpacked: 0xffffffff }, extra: zip64Extra(9) },
      ]),
      /contradicts|damaged/,
    ],
    [
      "size sentinels with a record of petabytes",
      createDocx([
        { name: "a.xml", content: "x", says: { unpacked: 0xffffffff }, extra: zip64Extra(2 ** 50) },
      ]),
      /too much/,
    ],
    [
      "a record that is too short",
      createDocx([
        {
          name: "a.xml",
          content: "x",
          says: { unpacked: 0xffffffff },
          extra: Uint8Array.from([1, 0, 2, 0, 0, 0]),
        },
      ]),
      /damaged/,
    ],
    [
      "a directory offset sentinel",
      createDocx([], { says: { directoryOffset: 0xffffffff } }),
      /damaged/,
    ],
    ["a ZIP64 end record", createDocx([], { beforeEnd: zip64End(3, 1, 1) }), /damaged|not whole/],
    [
      "a ZIP64 end record of 2^53 entries",
      createDocx([], { beforeEnd: zip64End(2 ** 53 - 1, 1, 1) }),
      /too many|damaged/,
    ],
    // Around it.
    [
      "a prefix",
      createDocx([], { prefix: Buffer.from("MZ junk"), prefixCounted: false }),
      /damaged/,
    ],
    [
      "a counted prefix",
      createDocx([], { prefix: Buffer.from("MZ junk") }),
      /before its first entry/,
    ],
    [
      "a prefix that looks like an entry",
      createDocx([], { prefix: honest.subarray(0, 30) }),
      /before its first entry/,
    ],
    ["something after its end", Buffer.concat([honest, Buffer.from("junk")]), /damaged/],
    [
      "a second end record in a comment",
      createDocx([], { comment: honest.subarray(-22).toString("latin1") }),
      /damaged|not whole/,
    ],
    [
      "something between directory and end",
      createDocx([], { beforeEnd: Buffer.from("junk") }),
      /not whole/,
    ],
    ["half a directory", honest.subarray(0, honest.length - 60), /damaged/],
    ["no end record", honest.subarray(0, honest.length - 22), /damaged/],
    ["half", honest.subarray(0, honest.length / 2), /damaged/],
    ["4 bytes", honest.subarray(0, 4), /damaged/],
    [
      "a directory that begins after its end",
      createDocx([], { says: { directoryOffset: honest.length } }),
      /damaged/,
    ],
    ["nothing in it", createZip([]), /lacks/],
    // Parts.
    ["no content types", createZip(DOCX_ENTRIES.slice(1)), /lacks required parts/],
    ["no document", createZip(DOCX_ENTRIES.slice(0, 2)), /lacks required parts/],
    [
      "a spreadsheet",
      createZip([...DOCX_ENTRIES.slice(0, 2), { name: "xl/workbook.xml" }]),
      /lacks required parts/,
    ],
  ];
  for (const [name, bytes, reason] of cases)
    it(name, async () => assert.match((await faultOf(bytes)) ?? "none", reason));
});

/** The second entry's local header lies in the data of the first, which is a way to make bombs. */
function overlapping(): Buffer {
  const inner = createZip([{ name: "b.xml", content: "inner", method: 0 }]).subarray(0, 30 + 5 + 5);
  const first = createZip([{ name: "a.xml", content: inner, method: 0 }, ...DOCX_ENTRIES]);
  const offset = first.indexOf(inner);
  return createZip([
    { name: "a.xml", content: inner, method: 0 },
    ...DOCX_ENTRIES,
    { name: "b.xml", content: "inner", method: 0, says: { offset } },
  ]);
}

function broken(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  copy.fill(0xff, copy.indexOf("a.xml") + 5, copy.indexOf("a.xml") + 60);
  return copy;
}
