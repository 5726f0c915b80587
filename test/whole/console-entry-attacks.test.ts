import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { createTestEngine, TEST_TOKEN } from "../support/engine/engine.ts";
import { type LiveEngine, startLiveEngine } from "../support/engine/live.ts";
import { json, rawGet, sendRaw } from "../support/http.ts";

const LISTED = "https://listed.example";
const FILES = ["", "index.html", "console.js", "console.css", "icon.svg"];
const lines: string[] = [];
const note = (fields: object, message: string) => {
  lines.push(JSON.stringify(fields) + message);
};
const log = { trace: note, debug: note, info: note, warn: note, error: note, fatal: note };

let live: LiveEngine;
let own: string;
let link: string;
before(async () => {
  const { deps } = await createTestEngine();
  live = await startLiveEngine({
    config: { ...deps.config, allowedOrigins: [LISTED] },
    log: { ...deps.log, ...log },
  });
  own = `127.0.0.1:${live.port}`;
});
after(() => live[Symbol.asyncDispose]());
beforeEach(async () => {
  link = await createLink();
});

async function createLink(): Promise<string> {
  return new URL((await json(await live.test.call("POST", "/console/links"))).url).hash.slice(1);
}

/** The status of a POST of `{link}` with these headers; those of the page itself where none are given. */
async function redeem(
  given: string,
  headers: Record<string, string | undefined> = {},
): Promise<number> {
  const all = { Host: own, Origin: `http://${own}`, "Sec-Fetch-Site": "same-origin", ...headers };
  const body = JSON.stringify({ link: given });
  const head = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  const request = ["POST /console/session HTTP/1.1", ...head, `Content-Length: ${body.length}`];
  return (await sendRaw(live.port, `${request.join("\r\n")}\r\n\r\n${body}`)).status;
}

describe("a session is refused, and the link still works, for", () => {
  const rows: [name: string, headers: () => Record<string, string | undefined>][] = [
    ["no Origin", () => ({ Origin: undefined })],
    ["an opaque Origin", () => ({ Origin: "null" })],
    ["another site", () => ({ Origin: "https://evil.example" })],
    ["another port of this machine", () => ({ Origin: "http://127.0.0.1:1" })],
    ["https in the place of http", () => ({ Origin: `https://${own}` })],
    ["another name of this machine", () => ({ Origin: `http://localhost:${live.port}` })],
    ["an Origin that begins with the own one", () => ({ Origin: `http://${own}.evil.example` })],
    ["a listed origin", () => ({ Origin: LISTED, "Sec-Fetch-Site": "cross-site" })],
    ["a cross-site request", () => ({ "Sec-Fetch-Site": "cross-site" })],
    ["a request of another port", () => ({ "Sec-Fetch-Site": "same-site" })],
    ["a request that no page sent", () => ({ "Sec-Fetch-Site": "none" })],
    ["the name of another host (DNS rebinding)", () => ({ Host: `evil.example:${live.port}` })],
    ["a Host that ends in a dot", () => ({ Host: `localhost.:${live.port}` })],
    ["no Host", () => ({ Host: undefined })],
  ];
  for (const [name, headers] of rows) {
    it(name, async () => {
      assert.equal(await redeem(link, headers()), 403);
      assert.equal(await redeem(link), 200);
    });
  }
});

describe("a link", () => {
  it("works once", async () => {
    assert.deepEqual([await redeem(link), await redeem(link)], [200, 401]);
  });

  it("works once among twenty at the same time", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => redeem(link)));
    assert.equal(all.filter((status) => status === 200).length, 1);
  });

  it("ends after a minute", async () => {
    live.test.deps.clock.advance(60_000);
    assert.equal(await redeem(link), 401);
  });

  it("is not guessed by a thousand guesses, which void no link", async () => {
    for (let count = 0; count < 1000; count += 1) {
      const answer = await live.test.engine.fetch(
        new Request(`http://${own}/console/session`, {
          method: "POST",
          headers: { Host: own, Origin: `http://${own}` },
          body: JSON.stringify({ link: `guess-${count}` }),
        }),
      );
      assert.equal(answer.status, 401);
    }
    assert.equal(await redeem(link), 200);
  });

  it("is nothing less and nothing more than itself", async () => {
    const near = ["", link.slice(1), link.slice(0, -1), `${link}=`, ` ${link}`, link.toLowerCase()];
    for (const given of near) assert.equal(await redeem(given), 401, given);
    assert.equal(await redeem(link), 200);
  });

  it("is made with the bearer alone, not with a token in the address", async () => {
    for (const [path, header] of [
      ["/api/v1/console/links", "X: 1"],
      ["/api/v1/console/links", "Authorization: Bearer wrong"],
      [`/api/v1/console/links?token=${TEST_TOKEN}`, "X: 1"],
    ]) {
      const request = `POST ${path} HTTP/1.1\r\nHost: ${own}\r\n${header}\r\nContent-Length: 0\r\n\r\n`;
      assert.equal((await sendRaw(live.port, request)).status, 401, path);
    }
  });

  it("is in no log, and neither is the token", async () => {
    await redeem(link);
    await redeem(link);
    const text = lines.join("\n");
    assert.match(text, /A browser opened the console/);
    assert.match(text, /A link of the console was refused/);
    assert.ok(!text.includes(link) && !text.includes(TEST_TOKEN));
  });
});

describe("the entry", () => {
  for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    it(`refuses ${method} on the session, and uses no link up`, async () => {
      const asked = "Access-Control-Request-Method: POST";
      // The response to HEAD has a length, and no body.
      const head = [`Host: ${own}`, `Origin: http://${own}`, asked, "Connection: close"];
      const request = rawGet("/console/session", head).replace("GET", method);
      const answer = await sendRaw(live.port, request);
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get("allow"), "POST");
      assert.equal(await redeem(link), 200);
    });
  }

  it("stops reading a body of a hundred megabytes", async () => {
    const head = `POST /console/session HTTP/1.1\r\nHost: ${own}\r\nOrigin: http://${own}\r\n`;
    const stated = `${head}Content-Length: 100000000\r\n\r\n{"link":"`;
    assert.equal((await sendRaw(live.port, stated)).status, 413);
    const chunk = `${(4096).toString(16)}\r\n${"x".repeat(4096)}\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(8)}`;
    assert.equal((await sendRaw(live.port, chunked)).status, 413);
  });

  it("lets other pages in while a body arrives slowly, and keeps the link of one that stops", async () => {
    const slow = connect(live.port, "127.0.0.1");
    slow.write(
      `POST /console/session HTTP/1.1\r\nHost: ${own}\r\nOrigin: http://${own}\r\nContent-Length: 60\r\n\r\n{"link":"${link}`,
    );
    const other = await createLink();
    assert.equal(await redeem(other), 200);
    slow.destroy();
    assert.equal(await redeem(link), 200);
  });

  it("refuses bodies that are no link", async () => {
    for (const body of ["", "link", "[]", "null", '{"link":["x"]}', `${"[".repeat(500)}`]) {
      const request = `POST /console/session HTTP/1.1\r\nHost: ${own}\r\nOrigin: http://${own}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      assert.equal((await sendRaw(live.port, request)).status, 400, body);
    }
  });

  it("upgrades to no WebSocket", async () => {
    const head = [
      `Host: ${own}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    for (const path of ["/console/", "/console/session"]) {
      assert.notEqual((await sendRaw(live.port, rawGet(path, head))).status, 101, path);
    }
  });
});

describe("the files", () => {
  it("each have the whole policy, and are kept by no cache", async () => {
    for (const name of FILES) {
      const { status, headers } = await sendRaw(
        live.port,
        rawGet(`/console/${name}`, [`Host: ${own}`]),
      );
      assert.equal(status, 200, name);
      const policy = headers.get("content-security-policy") ?? "";
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "worker-src 'none'",
        `connect-src 'self' ws://${own}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]) {
        assert.ok(policy.split("; ").includes(part), `${name}: ${part}`);
      }
      assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/);
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("x-frame-options"), "DENY");
      assert.equal(headers.get("referrer-policy"), "no-referrer");
      assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
      assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
      assert.equal(headers.get("set-cookie"), undefined);
    }
  });

  it("are given to no listed origin", async () => {
    for (const name of [...FILES, "session", "none"]) {
      for (const method of ["GET", "OPTIONS"]) {
        const head = [`Host: ${own}`, `Origin: ${LISTED}`, "Access-Control-Request-Method: POST"];
        const request = rawGet(`/console/${name}`, head).replace("GET", method);
        const { headers } = await sendRaw(live.port, request);
        assert.equal(headers.get("access-control-allow-origin"), undefined, `${method} ${name}`);
      }
    }
  });

  it("are at no other path", async () => {
    for (const path of [
      "//console/",
      "/console//session",
      "/console//",
      "/%63onsole/",
      "/CONSOLE/",
      "/console/%69ndex.html",
      "/console/session/",
      "/console/console.js/",
      "/console/constructor",
      "/console/__proto__",
      "/console/toString",
      "/console/page.generated.ts",
      "/console/%2e%2e/%2e%2e/etc/passwd",
      "/console\\index.html",
    ]) {
      const { status } = await sendRaw(live.port, rawGet(path, [`Host: ${own}`]));
      assert.ok(status === 404 || status === 400, `${path}: ${status}`);
    }
  });

  it("are for the own host alone, whose name cannot become a part of the policy", async () => {
    for (const host of [
      `evil.example:${live.port}`,
      `${own}; script-src *`,
      `${own} https://evil.example`,
      `user@${own}`,
    ]) {
      const { status } = await sendRaw(live.port, rawGet("/console/", [`Host: ${host}`]));
      assert.ok(status === 403 || status === 400, `${host}: ${status}`);
    }
    const target = `http://evil.example:${live.port}/console/`;
    assert.equal((await sendRaw(live.port, rawGet(target, [`Host: ${own}`]))).status, 403);
  });

  it("and the session are gone where ENGINE_CONSOLE is 0", async () => {
    const { deps } = live.test;
    await using without = await startLiveEngine({ config: { ...deps.config, console: false } });
    const head = [`Host: 127.0.0.1:${without.port}`, `Origin: http://127.0.0.1:${without.port}`];
    for (const name of [...FILES, "session"]) {
      for (const method of ["GET", "POST"]) {
        const request = rawGet(`/console/${name}`, [...head, "Content-Length: 0"]);
        const { status } = await sendRaw(without.port, request.replace("GET", method));
        assert.equal(status, 404, `${method} ${name}`);
      }
    }
    assert.equal((await without.test.call("POST", "/console/links")).status, 404);
  });
});
