// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { describe, it } from "node:test";
import { DOCX_PARTS, findArchiveFault } from "../../../engine/files/archive.ts";
import { MIB } from "../../../shared/units.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import {
  createDocx,
  createZip,
  DOCX_ENTRIES,
  type ZipEntry,
} from "../../support/files/documents.ts";
import { faultOf, manyEntries, noise, zeros } from "./archives.ts";

describe("archives that are handed on", () => {
  const folders: ZipEntry[] = ["word/", "word/media/"].map((name) => ({
    name,
    method: 0,
    mode: 0o040755,
  }));
  const cases: Record<string, Uint8Array> = {
    "the least": createZip(DOCX_ENTRIES.filter((entry) => DOCX_PARTS.includes(String(entry.name)))),
    "with folders, stored and empty entries": createDocx([
      ...folders,
      { name: "word/media/image1.png", content: noise(50_000), method: 0 },
      { name: "word/media/image2.png", content: noise(50_000) },
      { name: "empty.xml" },
      { name: "empty.bin", method: 0 },
    ]),
    "with a comment": createDocx([], { comment: "made by hand" }),
    "with sizes that follow their data": createDocx([
      {
        name: "a.xml",
        content: "x".repeat(500),
        flags: 0x808,
        localSays: { packed: 0, unpacked: 0 },
      },
    ]),
    "without modes, as on Windows": createDocx([{ name: "a.xml", content: "x", mode: 0 }]),
    "with 2,000 entries": createDocx(
      Array.from({ length: 2_000 - DOCX_ENTRIES.length }, (_, at) => ({
        name: `word/${at}.xml`,
        content: "x",
      })),
    ),
    "that unpacks to a hundred times its size": createDocx([
      { name: "a.xml", content: Buffer.concat([noise(5_000), zeros(600_000)]) },
    ]),
  };
  for (const [name, bytes] of Object.entries(cases))
    it(name, async () => assert.equal(await faultOf(bytes), undefined));
});

it("100 MiB unpacked are handed on, one byte more is not", async () => {
  const rest = DOCX_ENTRIES.reduce((sum, entry) => sum + String(entry.content).length, 0);
  const large = {
    name: "a.bin",
    content: Buffer.concat([noise(700_000), zeros(100 * MIB - 700_000 - rest)]),
  };
  assert.equal(await faultOf(createDocx([large])), undefined);
  assert.match((await faultOf(createDocx([large, { name: "b", content: "x" }]))) ?? "", /too much/);
});

it("judging stops when the signal is aborted", async () => {
  await using folder = await createTestFolder({ "a.docx": createDocx() });
  await using handle = await open(folder.at("a.docx"));
  const source = { descriptor: handle.fd, sizeBytes: 0 };
  await assert.rejects(
    findArchiveFault(source, DOCX_PARTS, AbortSignal.abort(new Error("gone"))),
    /gone/,
  );
});

it("a bomb is unpacked no further than its declared size, and 70,000 entries are not even read", async () => {
  const lying = createDocx([
    { name: "a.xml", content: zeros(60 * MIB), says: { unpacked: 60_000 } },
  ]);
  const crowded = createZip(manyEntries(70_000), { says: { count: 65_000 } });
  for (const bytes of [lying, crowded]) {
    await using folder = await createTestFolder({ "a.docx": bytes });
    await using handle = await open(folder.at("a.docx"));
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    using _ = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 1);
    const source = { descriptor: handle.fd, sizeBytes: bytes.length };
    assert.notEqual(await findArchiveFault(source, DOCX_PARTS), undefined);
    assert.ok(most < 10 * MIB, `${most} bytes`);
  }
});
