import { join } from "node:path";
import type { Database } from "../../../shared/database.ts";
import { isDamage } from "../../../shared/system-error.ts";
import { type Finding, fine, warning } from "../../checks/finding.ts";
import { findRootFault, listCheckedRoots } from "../../checks/root-places.ts";
import type { EmbeddingsConfig } from "../../config.ts";
import { createEmbedder } from "../../retrieval/embedders/configured.ts";
import { notOwn } from "../../retrieval/failures.ts";
import { findSidecarFolder, hasSidecarFile, SIDECAR_FILE } from "../../retrieval/sidecar/folder.ts";
import { countAll, findMeta } from "../../retrieval/sidecar/meta-store.ts";
import { OwnIndexes } from "../../retrieval/sidecar/own-indexes.ts";
import { openUnchangedSidecar } from "../../retrieval/sidecar/sidecar.ts";
import { openUnchanged } from "./unchanged-database.ts";

interface RootCheck {
  db: Database;
  embeddings: EmbeddingsConfig;
  isRunning: boolean;
  dataDirectory: string;
}

/** Each root that retrieval uses: whether it is there, and its index and that index's signature. */
export async function* checkRoots({ db, ...check }: RootCheck): AsyncGenerator<Finding> {
  const { signature } = createEmbedder(check.embeddings);
  const own = new OwnIndexes(check.dataDirectory);
  for (const path of await listCheckedRoots(db)) {
    yield (await findRootFault(path)) ?? (await checkIndex(path, { ...check, signature, own }));
  }
}

async function checkIndex(
  root: string,
  { signature, own, isRunning }: { signature: string; own: OwnIndexes; isRunning: boolean },
): Promise<Finding> {
  const check = `root ${root}`;
  const again = `Run \`index ${JSON.stringify(root)}\`.`;
  try {
    const folder = findSidecarFolder(root);
    const path = folder && join(folder, SIDECAR_FILE);
    if (!path || !hasSidecarFile(path)) return warning(check, "It is not indexed yet.", again);
    if (!own.has(path)) return warning(check, notOwn().message, again);
    await using file = await openUnchanged(path, isRunning);
    if (!file) return warning(check, "It is not indexed yet.", again);
    using sidecar = openUnchangedSidecar(file.uri);
    const written = findMeta(sidecar, "signature");
    if (written !== signature) {
      return warning(check, "Another embedder made its index, so searches skip it.", again);
    }
    const { documents } = countAll(sidecar);
    return fine(check, `Indexed documents: ${documents.toLocaleString("en")}.`);
  } catch (error) {
    if (isDamage(error)) return warning(check, "Its index is damaged.", again);
    const reason = error instanceof Error ? error.message : String(error);
    return warning(check, `Its index cannot be read: ${reason}`, again);
  }
}
