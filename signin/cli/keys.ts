import type { SealedBox } from "../../shared/sealed-box.ts";
import { apiKeyContext } from "../connections/api-keys.ts";
import { KEY_BATCH_CHARACTERS_MAX, KEY_BATCH_ROWS, KEY_PAGE_ROWS } from "../limits.ts";
import { totpContext } from "../second-factor/verify-factor.ts";
import {
  countByKeyId,
  FIRST_PAGE,
  type KeyCursor,
  listSealedKeys,
  replaceEnvelopes,
  type SealedKey,
} from "./key-store.ts";
import type { Target } from "./target.ts";

/** The result of `keys check`. No key decrypts the `broken` rows. */
interface KeyReport {
  rows: number;
  current: number;
  older: number;
  broken: number;
  /** The ids of the encryption keys in use, with their rows. */
  keys: { keyId: string; rows: number }[];
}

/** Decrypts every stored API key and every secret of an authenticator app, page by page. None is shown or kept. */
export async function checkKeys({ db }: Pick<Target, "db">, box: SealedBox): Promise<KeyReport> {
  const report: KeyReport = {
    rows: 0,
    current: 0,
    older: 0,
    broken: 0,
    keys: await countByKeyId(db),
  };
  for await (const page of pagesOf((after) =>
    listSealedKeys(db, { after, limit: KEY_PAGE_ROWS }),
  )) {
    for (const row of page) {
      report.rows += 1;
      if ((await decryptKey(box, row)) === undefined) report.broken += 1;
      else if (row.keyId === box.keyId) report.current += 1;
      else report.older += 1;
    }
  }
  return report;
}

/** The result of `keys re-encrypt`. `changed` rows were replaced meanwhile, and need no change. */
interface ReencryptReport {
  reencrypted: number;
  changed: number;
  broken: number;
}

/**
 * Seals every stored API key, and every secret of an authenticator app, with the current encryption key, page by page. It can be stopped at any time and run again. A key
 * that its owner replaces meanwhile is not changed.
 */
export async function reencryptKeys(
  { db }: Pick<Target, "db">,
  box: SealedBox,
  onPage: (report: ReencryptReport) => void,
): Promise<ReencryptReport> {
  const report: ReencryptReport = { reencrypted: 0, changed: 0, broken: 0 };
  const listPage = (after: KeyCursor) =>
    listSealedKeys(db, { after, notSealedWith: box.keyId, limit: KEY_PAGE_ROWS });
  for await (const page of pagesOf(listPage)) {
    const changes = [];
    for (const from of page) {
      const key = await decryptKey(box, from);
      if (key === undefined) {
        report.broken += 1;
        continue;
      }
      const ciphertext = await box.seal(key, contextOf(from));
      changes.push({ from, ciphertext, keyId: box.keyId });
    }
    for (const batch of batchesOf(changes)) {
      const replaced = await replaceEnvelopes(db, batch);
      report.reencrypted += replaced;
      report.changed += batch.length - replaced;
    }
    onPage(report);
  }
  return report;
}

/** Envelopes that one batch can replace, also where it travels as the text of one command. */
function batchesOf<Change extends { ciphertext: string }>(changes: readonly Change[]): Change[][] {
  const batches: Change[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const change of changes) {
    characters += change.ciphertext.length;
    if (characters > KEY_BATCH_CHARACTERS_MAX || (batches.at(-1)?.length ?? 0) >= KEY_BATCH_ROWS) {
      batches.push([]);
      characters = change.ciphertext.length;
    }
    batches.at(-1)?.push(change);
  }
  return batches;
}

function contextOf({ userId, provider }: SealedKey): string {
  return provider === "" ? totpContext(userId) : apiKeyContext(userId, provider);
}

async function decryptKey(box: SealedBox, row: SealedKey): Promise<string | undefined> {
  try {
    return await box.open(row.ciphertext, contextOf(row));
  } catch {
    // The key is not configured, or the row was moved or damaged. The caller counts it.
    return undefined;
  }
}

async function* pagesOf(
  listPage: (after: KeyCursor) => Promise<SealedKey[]>,
): AsyncGenerator<SealedKey[]> {
  let after = FIRST_PAGE;
  for (;;) {
    const page = await listPage(after);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last;
  }
}
