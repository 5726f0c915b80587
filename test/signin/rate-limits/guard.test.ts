import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger } from "../../../shared/log.ts";
import type { AuditEvent } from "../../../signin/audit/audit.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import { SigninError } from "../../../signin/errors.ts";
import { RATE_LIMITS, type RateLimitBucket } from "../../../signin/limits.ts";
import {
  clearCount,
  countRequest,
  type GuardDeps,
  requireWithinLimit,
} from "../../../signin/rate-limits/guard.ts";
import { createMemoryLimiter } from "../../../signin/rate-limits/memory-limiter.ts";
import { createKeyring } from "../../../signin/tokens/keyring.ts";
import { BASE_URL, TEST_ENV } from "../../support/signin/signin.ts";
import { TestClock } from "../../support/time.ts";

function createDeps(given: { env?: string; address?: string; baseUrl?: string } = {}) {
  const { env = "production", address = "203.0.113.7" } = given;
  const isLocal = env === "development" || env === "test";
  const baseUrl = given.baseUrl ?? (isLocal ? "http://127.0.0.1:8787" : BASE_URL);
  const config = parseConfig({ ...TEST_ENV, APP_ENV: env, APP_BASE_URL: baseUrl });
  const keys: string[] = [];
  const memory = createMemoryLimiter(new TestClock());
  const audited: Partial<AuditEvent>[] = [];
  const logged: unknown[] = [];
  const client = { requestId: "request", address, userAgent: "", language: "en" as const };
  const deps: GuardDeps = {
    config,
    keyring: createKeyring(config),
    rateLimiter: {
      consume: (key, limit) => {
        keys.push(key);
        return memory.consume(key, limit);
      },
      clear: (key, limit) => memory.clear(key, limit),
    },
    record: (event) => void audited.push({ ...event, client }),
    client,
    log: { ...silentLogger, info: (fields) => void logged.push(fields) },
  };
  return { deps, keys, audited, logged };
}

describe("the guard", () => {
  it("refuses with a wait, records the first refusal of a window alone, and logs the others", async () => {
    const { deps, audited, logged } = createDeps();
    const { limit, windowSec } = RATE_LIMITS.apiKeyPerUser;
    for (let count = 0; count < limit; count += 1) {
      await requireWithinLimit(deps, "apiKeyPerUser", "user");
    }
    for (let count = 0; count < 3; count += 1) {
      await assert.rejects(requireWithinLimit(deps, "apiKeyPerUser", "user"), (error: unknown) => {
        assert.ok(error instanceof SigninError);
        assert.equal(error.code, "rate_limited");
        assert.equal(error.retryAfterSec, windowSec);
        return true;
      });
    }
    await requireWithinLimit(deps, "apiKeyPerUser", "another");
    assert.deepEqual(audited, [
      {
        type: "ratelimit.hit",
        outcome: "failure",
        client: deps.client,
        userId: "user",
        detail: { bucket: "apiKeyPerUser" },
      },
    ]);
    assert.equal(logged.length, 2);
  });

  it("says whose request it refused, where it counts by account or session", async () => {
    const { deps, audited } = createDeps();
    const hit = async (bucket: RateLimitBucket, value?: string) => {
      for (let count = 0; count <= RATE_LIMITS[bucket].limit; count += 1) {
        await countRequest(deps, bucket, value);
      }
      const { userId, sessionId } = audited.at(-1) ?? {};
      return { userId, sessionId };
    };
    const none = { userId: undefined, sessionId: undefined };
    assert.deepEqual(await hit("exportPerUser", "u1"), { ...none, userId: "u1" });
    assert.deepEqual(await hit("noticePerUser", "u1 new_device "), { ...none, userId: "u1" });
    assert.deepEqual(await hit("refreshPerSession", "s1"), { ...none, sessionId: "s1" });
    assert.deepEqual(await hit("loginPerEmail", "ann@example.test"), none);
    assert.deepEqual(await hit("codePerIp"), none);
  });

  it("keeps e-mail and IP addresses out of keys that are stored", async () => {
    const { deps, keys } = createDeps();
    await countRequest(deps, "loginPerEmailAndIp", "ann@example.test");
    await countRequest(deps, "codePerIp");
    await countRequest(deps, "flowPerIp");
    assert.match(keys[2] ?? "", /^flowPerIp:[A-Za-z0-9_-]{22}$/);
    assert.match(keys[0] ?? "", /^loginPerEmailAndIp:[A-Za-z0-9_-]{22}$/);
    assert.match(keys[1] ?? "", /^codePerIp:[A-Za-z0-9_-]{22}$/);
  });

  it("tells buckets, values and addresses apart", async () => {
    const one = createDeps();
    const other = createDeps({ address: "203.0.113.8" });
    for (const { deps } of [one, other]) {
      await countRequest(deps, "loginPerEmailAndIp", "a@x.test");
      await countRequest(deps, "loginPerEmailAndIp", "b@x.test");
      await countRequest(deps, "loginPerEmail", "a@x.test");
      await countRequest(deps, "loginPerIp");
      await countRequest(deps, "flowPerIp");
      await countRequest(deps, "refreshPerSession", "s1");
    }
    const byAddress = [0, 1, 3, 4];
    for (const [at, key] of one.keys.entries()) {
      assert.equal(key === other.keys[at], !byAddress.includes(at), key);
    }
    assert.equal(new Set([...one.keys, ...other.keys]).size, 6 + byAddress.length);
  });

  it("counts an address however it is spelled", async () => {
    const { deps, keys } = createDeps();
    for (const address of ["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:cb00:7107"]) {
      await countRequest({ ...deps, client: { ...deps.client, address } }, "flowPerIp");
    }
    assert.equal(new Set(keys).size, 1);
  });

  it("counts clients whose address is unknown together", async () => {
    const { deps, keys } = createDeps({ address: "" });
    await countRequest(deps, "flowPerIp");
    await countRequest({ ...deps, client: { ...deps.client, address: "nonsense" } }, "flowPerIp");
    assert.equal(new Set(keys).size, 1);
  });

  for (const [env, address, exempt] of [
    ["development", "127.0.0.1", true],
    ["development", "127.8.9.10", true],
    ["development", "::1", true],
    ["development", "::ffff:127.0.0.1", true],
    ["test", "127.0.0.1", true],
    ["development", "203.0.113.7", false],
    ["staging", "127.0.0.1", false],
    ["production", "::1", false],
  ] as const) {
    it(`${exempt ? "does not count" : "counts"} ${address} by address in ${env}`, async () => {
      const { deps, keys } = createDeps({ env, address });
      await countRequest(deps, "flowPerIp");
      assert.equal(keys.length, exempt ? 0 : 1);
      await countRequest(deps, "loginPerEmailAndIp", "a@x.test");
      assert.equal(keys.length, exempt ? 1 : 2, "an attempt on an account always counts");
    });
  }

  for (const [baseUrl, exempt] of [
    ["http://localhost:8787", true],
    ["http://[::1]:8787", true],
    ["https://dev.tunnel.example", false],
    ["http://localhost.example", false],
  ] as const) {
    it(`${exempt ? "does not count" : "counts"} loopback in development behind ${baseUrl}`, async () => {
      const { deps, keys } = createDeps({ env: "development", address: "127.0.0.1", baseUrl });
      await countRequest(deps, "flowPerIp");
      assert.equal(keys.length, exempt ? 0 : 1);
    });
  }

  it("clears a count", async () => {
    const { deps } = createDeps();
    for (let count = 0; count < 5; count += 1) {
      await requireWithinLimit(deps, "loginPerEmailAndIp", "a@x.test");
    }
    await clearCount(deps, "loginPerEmailAndIp", "a@x.test");
    await requireWithinLimit(deps, "loginPerEmailAndIp", "a@x.test");
  });
});
