import yauzl from "yauzl";

const ENTRIES_MAX = 2_000;
const BYTES_MAX = 100 * 1024 * 1024;
const RATIO_MAX = 200;

/** Refuses an archive that would unpack to far more than it is. Read from its central directory alone. */
export async function checkArchive(bytes: Uint8Array): Promise<void> {
  const archive = await yauzl.fromBufferPromise(Buffer.from(bytes));
  let total = 0;
  let entries = 0;
  for await (const entry of archive.eachEntry()) {
    entries++;
    total += entry.uncompressedSize;
    const inflated = entry.uncompressedSize > Math.max(entry.compressedSize, 1) * RATIO_MAX;
    const encrypted = (entry.generalPurposeBitFlag & 1) === 1;
    if (entries > ENTRIES_MAX || total > BYTES_MAX || inflated || encrypted) {
      throw new Error("The archive is not safe to unpack.");
    }
  }
  if (total > bytes.length * RATIO_MAX) throw new Error("The archive is not safe to unpack.");
}
