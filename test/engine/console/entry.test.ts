import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { LINKS_MAX } from "../../../engine/console/limits.ts";
import { buildConsoleModule } from "../../../tools/console.ts";
import { createTestEngine, TEST_TOKEN, type TestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

const OWN = { Host: "127.0.0.1", Origin: "http://127.0.0.1" };

async function createLink(test: TestEngine): Promise<string> {
  const { url } = await json(await test.call("POST", "/console/links"));
  return new URL(url).hash.slice(1);
}

function openSession(
  test: TestEngine,
  body: unknown,
  headers: Record<string, string> = OWN,
): Response | Promise<Response> {
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  return test.engine.fetch(new Request("http://127.0.0.1/console/session", request));
}

it("the console that is served is the console that is written", async () => {
  const path = new URL("../../../engine/console/page.generated.ts", import.meta.url);
  assert.equal(
    await readFile(path, "utf8"),
    await buildConsoleModule(),
    "npm run console:generate",
  );
});

it("a link gives the token once", async () => {
  await using test = await createTestEngine();
  const link = await createLink(test);
  const first = await openSession(test, { link });
  assert.equal(first.headers.get("cache-control"), "no-store");
  assert.deepEqual(await json(first), { token: TEST_TOKEN, expiresAt: null });
  assert.equal((await openSession(test, { link })).status, 401);
});

it("a link ends after a minute", async () => {
  await using test = await createTestEngine();
  const created = await json(await test.call("POST", "/console/links"));
  const link = new URL(created.url).hash.slice(1);
  assert.equal(Date.parse(created.expiresAt) - test.deps.clock.now(), 60_000);
  test.deps.clock.advance(60_000);
  assert.equal((await openSession(test, { link })).status, 401);
});

it("one link more than may be open voids the oldest one", async () => {
  await using test = await createTestEngine();
  const links = [];
  for (let count = 0; count <= LINKS_MAX; count += 1) links.push(await createLink(test));
  const answers = [];
  for (const link of links) answers.push((await openSession(test, { link })).status);
  assert.deepEqual(answers, [401, 200, 200, 200, 200, 200]);
});

it("a page of another origin is refused, and does not use the link up", async () => {
  await using test = await createTestEngine();
  const link = await createLink(test);
  for (const headers of [
    { Host: "127.0.0.1" },
    { Host: "127.0.0.1", Origin: "null" },
    { Host: "127.0.0.1", Origin: "https://example.org" },
    { Host: "127.0.0.1", Origin: "http://localhost" },
    { ...OWN, "Sec-Fetch-Site": "cross-site" },
  ] as Record<string, string>[]) {
    assert.equal((await openSession(test, { link }, headers)).status, 403, JSON.stringify(headers));
  }
  assert.equal((await openSession(test, { link })).status, 200);
});

it("a body without a link is refused by name", async () => {
  await using test = await createTestEngine();
  for (const [body, status, details] of [
    [{}, 400, "link: must be text"],
    [{ link: 7 }, 400, "link: must be text"],
    [[], 400, "link: must be text"],
    [{ link: "x".repeat(1024) }, 413, undefined],
  ] as const) {
    const response = await openSession(test, body);
    assert.equal((await json(response, status)).details, details);
  }
});
