import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createDataKeyStore } from "../../../engine/secrets/data-key.ts";
import type { Keychain } from "../../../engine/secrets/keychain.ts";
import { createVault } from "../../../engine/secrets/vault.ts";
import { temporaryDirectory } from "../../support/engine/process.ts";

let directory: string;
let keyFile: string;
beforeEach(() => {
  directory = temporaryDirectory();
  keyFile = join(directory, "credentials.key");
});
afterEach(() => rmSync(directory, { recursive: true }));

class FakeKeychain implements Keychain {
  key: Uint8Array | undefined;
  works = true;
  reads = 0;

  async read() {
    this.reads += 1;
    if (!this.works) throw new Error("locked");
    return this.key;
  }

  async write(key: Uint8Array) {
    if (!this.works) throw new Error("locked");
    this.key = key;
  }
}

type Setup = { store?: "auto" | "keychain" | "file"; keychain?: FakeKeychain; sealed?: boolean };

function open({ store = "file", keychain = new FakeKeychain(), sealed = false }: Setup = {}) {
  return createDataKeyStore({ store, keyFile, keychain, hasSealedData: async () => sealed });
}

describe("the data key in a file", () => {
  it("is created once, for the owner alone, and never changes", async () => {
    const keys = open();
    const [first, second] = await Promise.all([keys.load(), keys.load()]);
    assert.equal(first.length, 32);
    assert.deepEqual(first, second);
    assert.deepEqual(await open({ sealed: true }).load(), first);
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  });

  it("is not created by a look for it, nor by a check of the vault", async () => {
    assert.equal(await open().find(), undefined);
    await createVault(open()).check();
    assert.throws(() => statSync(keyFile), { code: "ENOENT" });
    await assert.rejects(open({ sealed: true }).find());
    await assert.rejects(createVault(open({ sealed: true })).check(), { code: "credential_store" });
    const key = await open().load();
    assert.deepEqual(await open().find(), key);
  });

  it("is never replaced where something is sealed", async () => {
    await assert.rejects(open({ sealed: true }).load());
    assert.throws(() => statSync(keyFile), { code: "ENOENT" });
  });

  const spoiled: [string, string | Buffer][] = [
    ["empty", ""],
    ["too short", randomBytes(31).toString("base64url")],
    ["too long", randomBytes(33).toString("base64url")],
    ["no base64url", "!".repeat(43)],
    ["32 raw bytes", Buffer.alloc(32, 0xfe)],
  ];
  for (const [name, content] of spoiled) {
    it(`that is ${name} is refused, and left as it is`, async () => {
      writeFileSync(keyFile, content);
      await assert.rejects(open().load());
      assert.deepEqual(readFileSync(keyFile), Buffer.from(content));
    });
  }

  it("is not read through a link", async () => {
    const elsewhere = join(directory, "elsewhere");
    writeFileSync(elsewhere, randomBytes(32).toString("base64url"));
    symlinkSync(elsewhere, keyFile);
    await assert.rejects(open().load());
  });
});

describe("the data key in a keychain", () => {
  it("is created once and read once", async () => {
    const keychain = new FakeKeychain();
    const keys = open({ store: "keychain", keychain });
    const key = await keys.load();
    assert.deepEqual(keychain.key, key);
    assert.deepEqual(await keys.load(), key);
    assert.equal(keychain.reads, 1);
    assert.throws(() => statSync(keyFile), { code: "ENOENT" });
  });

  it("is unavailable where the keychain does not work, even with a key file", async () => {
    await open().load();
    const keychain = new FakeKeychain();
    keychain.works = false;
    const keys = open({ store: "keychain", keychain });
    await assert.rejects(keys.load());
    keychain.works = true;
    assert.equal((await keys.load()).length, 32);
  });

  it("is never replaced where something is sealed", async () => {
    const keychain = new FakeKeychain();
    await assert.rejects(open({ store: "keychain", keychain, sealed: true }).load());
    assert.equal(keychain.key, undefined);
  });
});

describe("the data key where it works", () => {
  it("is in the keychain", async () => {
    const keychain = new FakeKeychain();
    const key = await open({ store: "auto", keychain }).load();
    assert.deepEqual(keychain.key, key);
    assert.throws(() => statSync(keyFile), { code: "ENOENT" });
  });

  it("is in the key file that is there already", async () => {
    const key = await open().load();
    const keychain = new FakeKeychain();
    assert.deepEqual(await open({ store: "auto", keychain, sealed: true }).load(), key);
    assert.equal(keychain.reads, 0);
  });

  it("is created in neither by a look for it, whether the keychain works or not", async () => {
    const keychain = new FakeKeychain();
    const keys = open({ store: "auto", keychain });
    for (const works of [true, false]) {
      keychain.works = works;
      assert.equal(await keys.find(), undefined);
    }
    assert.equal(keychain.key, undefined);
    assert.throws(() => statSync(keyFile), { code: "ENOENT" });
    keychain.works = true;
    assert.deepEqual(await keys.load(), keychain.key);
  });

  it("is in a new key file where there is no keychain", async () => {
    const keychain = new FakeKeychain();
    keychain.works = false;
    const key = await open({ store: "auto", keychain }).load();
    assert.deepEqual(await open().load(), key);
  });

  it("is not replaced by a key file while the keychain that has it is locked", async () => {
    const keychain = new FakeKeychain();
    const key = await open({ store: "auto", keychain }).load();
    keychain.works = false;
    await assert.rejects(open({ store: "auto", keychain, sealed: true }).load());
    assert.throws(() => statSync(keyFile), { code: "ENOENT" });
    keychain.works = true;
    assert.deepEqual(await open({ store: "auto", keychain, sealed: true }).load(), key);
  });
});

describe("a vault over a key file", () => {
  it("fails with the credential store's error while the file is missing, and works once it is back", async () => {
    const vault = createVault(open());
    const envelope = await vault.seal("secret", "record:field");
    assert.equal(await vault.open(envelope, "record:field"), "secret");

    const content = readFileSync(keyFile);
    unlinkSync(keyFile);
    writeFileSync(keyFile, randomBytes(32).toString("base64url"));
    await assert.rejects(vault.open(envelope, "record:field"), { code: "credential_store" });
    writeFileSync(keyFile, "garbage");
    await assert.rejects(vault.check(), { code: "credential_store" });
    await assert.rejects(vault.seal("x", "y"), { code: "credential_store" });
    writeFileSync(keyFile, content);
    assert.equal(await vault.open(envelope, "record:field"), "secret");
  });

  it("opens no envelope for another record or field", async () => {
    const vault = createVault(open());
    const envelope = await vault.seal("secret", "record:field");
    await assert.rejects(vault.open(envelope, "record:other"), { code: "credential_store" });
    assert.ok(!envelope.includes("secret"));
  });
});
