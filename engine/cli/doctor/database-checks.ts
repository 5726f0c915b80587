import { createDatabase, type Database } from "../../../shared/database.ts";
import { UserFacingError } from "../../../shared/failure.ts";
import { pendingMigrations } from "../../../shared/migrate.ts";
import { type EmbeddedClient, openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { isDamage, systemErrorCode } from "../../../shared/system-error.ts";
import { type Finding, failed, fine, warning } from "../../checks/finding.ts";
import { CHECK_WAIT_MS } from "../../checks/limits.ts";
import type { EngineConfig } from "../../config.ts";
import { migrations } from "../../db/migrations.generated.ts";
import { refuseLostDatabase } from "../../db/open.ts";
import type { DataDirectory } from "../../runtime/data-directory.ts";
import { createDataKeyStore } from "../../secrets/data-key.ts";
import { createKeychain, type Keychain } from "../../secrets/keychain.ts";
import { requireCredentials } from "../../secrets/require-credentials.ts";
import { listSealedSamples } from "../../secrets/sealed-store.ts";
import { createVault } from "../../secrets/vault.ts";
import { untilAborted } from "../../until-aborted.ts";
import { DOCTOR_CHECK_BYTES_MAX } from "../limits.ts";
import { openUnchanged } from "./unchanged-database.ts";

/** What the database says, and a way to read more of it if it can be used. */
interface DatabaseFinding extends AsyncDisposable {
  finding: Finding;
  db: Database | undefined;
}

const RESTORE = "Restore a backup: `restore FILE`.";

/** Opens the database without changing it, and reads its pages unless it is huge. */
export async function openCheckedDatabase(
  { database, keyFile }: DataDirectory,
  isRunning: boolean,
): Promise<DatabaseFinding> {
  const check = "database";
  await using opened = new AsyncDisposableStack();
  const result = (finding: Finding, db?: Database): DatabaseFinding => {
    const kept = opened.move();
    return { finding, db, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  };
  try {
    await refuseLostDatabase(database, keyFile);
    const file = await openUnchanged(database, isRunning);
    if (!file || file.sizeBytes === 0) return result(fine(check, "The first start creates it."));
    opened.use(file);
    const client = opened.use(openEmbeddedClient({ path: file.uri, pragmas: ["query_only=ON"] }));
    const pending = await pendingMigrations(client, migrations);
    const isSmall = file.sizeBytes <= DOCTOR_CHECK_BYTES_MAX;
    const { rows } = isSmall ? await client.execute("PRAGMA quick_check(1)") : { rows: [] };
    if (isSmall && rows[0]?.quick_check !== "ok") return result(damaged(database));
    const size = `${Math.ceil((await bytesOf(client)) / 1024).toLocaleString("en")} KiB`;
    const isCurrent = pending.length === 0;
    const next = isCurrent ? "" : " The next start brings it up to date.";
    const how = isSmall ? "intact" : "too large to be read here";
    return result(
      fine(check, `${size}, ${how}.${next}`),
      isCurrent ? createDatabase(client) : undefined,
    );
  } catch (error) {
    if (isDamage(error)) return result(damaged(database));
    if (error instanceof UserFacingError) return result(failed(check, error.message, RESTORE));
    if (error instanceof RangeError) {
      const found = "The engine did not stop cleanly, and the file is too large to check here.";
      return result(warning(check, found, "The next start checks it."));
    }
    const found = `${database} cannot be read (${systemErrorCode(error) || "unknown"}).`;
    return result(failed(check, found, "Change its owner to your account."));
  }
}

/** The size of the database, with the pages that are in its log of writes alone. */
async function bytesOf(client: EmbeddedClient): Promise<number> {
  const { rows } = await client.execute(
    "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
  );
  return Number(rows[0]?.bytes);
}

function damaged(path: string): Finding {
  return failed("database", `${path} is damaged.`, RESTORE);
}

/** Whether the stored credentials can be read. No key is created. */
export async function checkCredentials(
  { credentialStore: store }: EngineConfig,
  directory: DataDirectory,
  db: Database | undefined,
): Promise<Finding> {
  const check = "credential store";
  const samples = db ? await listSealedSamples(db) : [];
  const keys = createDataKeyStore({
    store,
    keyFile: directory.keyFile,
    keychain: bounded(createKeychain(directory.path)),
    // A key that is missing is never created here.
    hasSealedData: async () => true,
  });
  try {
    await keys.load();
  } catch {
    if (samples.length === 0)
      return fine(
        check,
        "No credentials are stored yet. The engine creates the key when it needs one.",
      );
    return failed(
      check,
      "The key of the stored credentials is missing.",
      "Restore it, or enter them again.",
    );
  }
  try {
    if (db) await requireCredentials({ vault: createVault(keys), db });
    return fine(check, "The key opens the stored credentials.");
  } catch {
    return failed(
      check,
      "The key does not open the stored credentials.",
      "Restore the former key, or enter the credentials again.",
    );
  }
}

/** A keychain that waits for a person would hold the check up, and one that writes would change something. */
function bounded(keychain: Keychain): Keychain {
  return {
    read: () => untilAborted(AbortSignal.timeout(CHECK_WAIT_MS), keychain.read()),
    write: () => Promise.reject(new Error("The check did not store anything.")),
  };
}
