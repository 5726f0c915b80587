import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Guard } from "../../../engine/http/guard.ts";
import { REFUSED_ORIGINS_LOGGED_MAX } from "../../../engine/limits.ts";
import { silentLogger } from "../../../shared/log.ts";

const PORT = 7717;

function createGuard(options: Partial<ConstructorParameters<typeof Guard>[0]> = {}, port = PORT) {
  const guard = new Guard({
    host: "127.0.0.1",
    allowedHosts: ["engine.internal", "[fd00::1]", "proxy.example:8443"],
    allowedOrigins: ["https://app.example", "null", "tauri://localhost"],
    ...options,
  });
  guard.listensOn(port);
  return guard;
}

const hosts: [host: string | null, allowed: boolean][] = [
  [`127.0.0.1:${PORT}`, true],
  [`localhost:${PORT}`, true],
  [`LocalHost:${PORT}`, true],
  [`[::1]:${PORT}`, true],
  [`engine.internal:${PORT}`, true],
  [`ENGINE.internal:${PORT}`, true],
  [`[fd00::1]:${PORT}`, true],
  [`[FD00::1]:${PORT}`, true],
  ["proxy.example:8443", true],
  [null, false],
  ["", false],
  [":7717", false],
  ["localhost", false],
  ["127.0.0.1", false],
  ["localhost:80", false],
  ["localhost:7718", false],
  ["localhost:", false],
  ["localhost:7717:7717", false],
  ["localhost:77170", false],
  ["localhost:-7717", false],
  [`localhost.:${PORT}`, false],
  [`LOCALHOST.:${PORT}`, false],
  [`127.0.0.1.:${PORT}`, false],
  ["LOCALHOST.", false],
  [`evil.com:${PORT}`, false],
  [`localhost.evil.com:${PORT}`, false],
  [`evil.localhost:${PORT}`, false],
  [`127.0.0.1.nip.io:${PORT}`, false],
  [`[::ffff:127.0.0.1]:${PORT}`, false],
  [`::1:${PORT}`, false],
  [`0.0.0.0:${PORT}`, false],
  [`127.1:${PORT}`, false],
  [`2130706433:${PORT}`, false],
  [`0x7f.0.0.1:${PORT}`, false],
  [`user@localhost:${PORT}`, false],
  [`localhost:${PORT}/path`, false],
  [`localhost:${PORT}, localhost:${PORT}`, false],
  [` localhost:${PORT}`, false],
  ["engine.internal", false],
  ["engine.internal:8443", false],
  [`proxy.example:${PORT}`, false],
  ["proxy.example", false],
  ["engine.internal.:7717", false],
];

describe("the Host of a request", () => {
  const guard = createGuard();
  for (const [host, allowed] of hosts) {
    it(`${JSON.stringify(host)} is ${allowed ? "let in" : "refused"}`, () => {
      const error = guard.checkHostAndOrigin({ host, origin: null });
      assert.equal(error?.code, allowed ? undefined : "forbidden");
    });
  }

  it("without a port means port 80", () => {
    const onPort80 = createGuard({ allowedHosts: ["engine.internal", "proxy.example:8443"] }, 80);
    for (const host of ["localhost", "localhost:80", "127.0.0.1", "[::1]", "engine.internal"]) {
      assert.equal(onPort80.checkHostAndOrigin({ host, origin: null }), undefined, host);
    }
    const proxied = createGuard({ allowedHosts: ["proxy.example:80"] });
    assert.equal(proxied.checkHostAndOrigin({ host: "proxy.example", origin: null }), undefined);
  });

  it("may be the configured host of the engine", () => {
    const guard = createGuard({ host: "127.0.0.2" });
    const head = { host: `127.0.0.2:${PORT}`, origin: null };
    assert.equal(guard.checkHostAndOrigin(head), undefined);
  });

  it("is always refused before the port is known", () => {
    const guard = new Guard({ host: "127.0.0.1", allowedHosts: ["x"], allowedOrigins: [] });
    for (const host of ["127.0.0.1:7717", "localhost", "x", "x:80"]) {
      assert.equal(guard.checkHostAndOrigin({ host, origin: null })?.code, "forbidden", host);
    }
  });

  it("must not differ from a foreign authority in the request target", () => {
    const check = (authority: string) =>
      guard.checkHostAndOrigin({ host: `localhost:${PORT}`, origin: null, authority });
    assert.equal(check(`localhost:${PORT}`), undefined);
    assert.equal(check(`127.0.0.1:${PORT}`), undefined);
    assert.equal(check(`evil.com:${PORT}`)?.code, "forbidden");
    assert.equal(check("")?.code, "forbidden");
    assert.equal(check(`user@localhost:${PORT}`)?.code, "forbidden");
  });
});

const origins: [origin: string | null, allowed: boolean][] = [
  [null, true],
  [`http://127.0.0.1:${PORT}`, true],
  [`http://localhost:${PORT}`, true],
  [`http://[::1]:${PORT}`, true],
  ["https://app.example", true],
  ["null", true],
  ["tauri://localhost", true],
  ["", false],
  ["file://", false],
  ["https://evil.example", false],
  ["https://app.example.evil.example", false],
  ["https://app.example:443", false],
  ["http://app.example", false],
  ["https://APP.example", false],
  ["https://app.example/", false],
  [`https://localhost:${PORT}`, false],
  ["http://localhost:3000", false],
  ["http://localhost", false],
  [`http://evil.localhost:${PORT}`, false],
  ["https://app.example, https://app.example", false],
];

describe("the Origin of a request", () => {
  const guard = createGuard();
  for (const [origin, allowed] of origins) {
    it(`${JSON.stringify(origin)} is ${allowed ? "let in" : "refused"}`, () => {
      const error = guard.checkHostAndOrigin({ host: `localhost:${PORT}`, origin });
      assert.equal(error?.code, allowed ? undefined : "forbidden");
    });
  }

  it("null is refused unless it is listed", () => {
    const guard = createGuard({ allowedOrigins: [] });
    const head = { host: `localhost:${PORT}`, origin: "null" };
    assert.equal(guard.checkHostAndOrigin(head)?.code, "forbidden");
  });

  it("has no port where the engine listens on port 80", () => {
    const guard = createGuard({}, 80);
    const check = (origin: string) => guard.checkHostAndOrigin({ host: "localhost", origin });
    assert.equal(check("http://localhost"), undefined);
    assert.equal(check("http://localhost:80")?.code, "forbidden");
  });
});

describe("a refused origin", () => {
  it("is logged once with the variable that can allow it, and only for so many", () => {
    const lines: [fields: unknown, message: string][] = [];
    const warn = (fields: unknown, message: string) => lines.push([fields, message]);
    const guard = createGuard({ log: { ...silentLogger, warn } });
    const check = (origin: string) =>
      guard.checkHostAndOrigin({ host: `localhost:${PORT}`, origin })?.code;
    for (let round = 0; round < 3; round += 1) {
      assert.equal(check("http://localhost:5173"), "forbidden");
    }
    const message = "A page of this origin was refused. ENGINE_ALLOWED_ORIGINS can allow it.";
    assert.deepEqual(lines, [[{ origin: "http://localhost:5173" }, message]]);
    for (let at = 0; at < 1_000; at += 1) check(`http://${at}.example${"x".repeat(1_000)}`);
    assert.equal(lines.length, REFUSED_ORIGINS_LOGGED_MAX);
    assert.ok(JSON.stringify(lines).length < REFUSED_ORIGINS_LOGGED_MAX * 500);
  });
});
