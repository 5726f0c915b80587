// Slow: it counts thousands of requests.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LogFields, silentLogger } from "../../../shared/log.ts";
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
  const logged: LogFields[] = [];
  const client = { requestId: "request", address, userAgent: "", language: "en" as const };
  const deps: GuardDeps = {
    config,
    keyring: createKeyring(config),
    rateLimiter: {
      consume: (counters) => {
        keys.push(...counters.map(({ key }) => key));
        return memory.consume(counters);
      },
      clear: (counter) => memory.clear(counter),
    },
    client,
    log: { ...silentLogger, info: (fields) => void logged.push(fields) },
  };
  return { deps, keys, logged };
}

describe("the guard", () => {
  it("refuses with a wait, and logs each refusal", async () => {
    const { deps, logged } = createDeps();
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
    assert.equal(logged.length, 3);
    const { event, user_id, detail } = logged[0] ?? {};
    assert.deepEqual(
      [event, user_id, detail],
      ["ratelimit.hit", "user", { bucket: "apiKeyPerUser" }],
    );
  });

  it("gives a network five times what a client has, and a block 25 times", async () => {
    const { deps } = createDeps();
    const admit = async (address: string, times: number) => {
      let admitted = 0;
      for (let at = 0; at < times; at += 1) {
        const client = { ...deps.client, address };
        if ((await countRequest({ ...deps, client }, "flowPerIp")).ok) admitted += 1;
      }
      return admitted;
    };
    const ofNetwork = async (network: string) => {
      let admitted = 0;
      for (let at = 0; at < 6; at += 1) admitted += await admit(`2001:db8:${network}:${at}::1`, 61);
      return admitted;
    };
    assert.equal(await ofNetwork("1"), 300);
    let inAll = 300;
    for (let at = 2; at <= 6; at += 1) inAll += await ofNetwork(String(at));
    assert.equal(inAll, 1500);
    assert.equal(await admit("2001:db9::1", 61), 60, "another block is not held up");
    assert.equal(await admit("203.0.113.7", 61), 60);
  });

  it("says whose request it refused, where it counts by account or session", async () => {
    const { deps, logged } = createDeps();
    const hit = async (bucket: RateLimitBucket, value?: string) => {
      for (let count = 0; count <= RATE_LIMITS[bucket].limit; count += 1) {
        await countRequest(deps, bucket, value);
      }
      const { user_id: userId, session_id: sessionId } = logged.at(-1) ?? {};
      return { userId, sessionId };
    };
    const none = { userId: undefined, sessionId: undefined };
    assert.deepEqual(await hit("exportPerUser", "u1"), { ...none, userId: "u1" });
    assert.deepEqual(await hit("refreshPerSession", "s1"), { ...none, sessionId: "s1" });
    assert.deepEqual(await hit("loginPerEmail", "ann@example.test"), none);
    assert.deepEqual(await hit("codePerIp"), none);
  });

  it("keeps e-mail and IP addresses out of keys that are stored", async () => {
    const { deps, keys } = createDeps();
    await countRequest(deps, "loginPerEmailAndIp", "ann@example.test");
    await countRequest(deps, "codePerIp");
    await countRequest(deps, "flowPerIp");
    assert.equal(keys.length, 7);
    for (const key of keys) {
      assert.match(key, /^(loginPerEmailAndIp|codePerIp|flowPerIp):[A-Za-z0-9_-]{22}$/);
    }
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
    // The two addresses are of one network and one block.
    const byAddress = [0, 1, 3, 6];
    for (const [at, key] of one.keys.entries()) {
      assert.equal(key === other.keys[at], !byAddress.includes(at), key);
    }
    assert.equal(new Set([...one.keys, ...other.keys]).size, 10 + byAddress.length);
  });

  it("counts an address however it is spelled", async () => {
    const { deps, keys } = createDeps();
    for (const address of ["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:cb00:7107"]) {
      await countRequest({ ...deps, client: { ...deps.client, address } }, "flowPerIp");
    }
    assert.equal(new Set(keys).size, 3);
  });

  it("counts clients whose address is unknown together", async () => {
    const { deps, keys } = createDeps({ address: "" });
    await countRequest(deps, "flowPerIp");
    await countRequest({ ...deps, client: { ...deps.client, address: "nonsense" } }, "flowPerIp");
    assert.equal(keys.length, 2);
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
      assert.equal(keys.length, exempt ? 0 : 3);
      await countRequest(deps, "loginPerEmailAndIp", "a@x.test");
      assert.equal(keys.length, exempt ? 1 : 4, "an attempt on an account always counts");
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
      assert.equal(keys.length, exempt ? 0 : 3);
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
