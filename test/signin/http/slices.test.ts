import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { OpenAPIHono } from "@hono/zod-openapi";
import { createRouters } from "../../../signin/http/slices.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const document = JSON.parse(
  readFileSync(new URL("../../../signin/openapi.json", import.meta.url), "utf8"),
) as { paths: Record<string, object> };
// A path that is in the patterns of two slices, or in none; and the ways to write one differently.
const OTHER_PATHS = [
  "/auth/sessions/login",
  "/auth/passkeys/callback",
  "/auth/sessions/disconnect",
  "/auth/nothing",
  "/auth/login/",
  "/auth//login",
  "/auth/%6Cogin",
  "/auth/lo%67in?x=1",
  "/%68ealth",
  "/auth/%2e%2e/health",
  "/auth/%zz/login",
  "/AUTH/login",
  "/nothing",
];
const PATHS = [
  ...Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "google")),
  ...OTHER_PATHS,
];

describe("slices", () => {
  it("serve every path as they do when all of them are open", async () => {
    await using open = await createTestSignin();
    await open.signin.openAll();
    for (const path of PATHS) {
      // One of its own for each path: nothing else has opened a slice in it.
      await using fresh = await createTestSignin();
      for (const method of METHODS) {
        assert.deepEqual(
          await describeAnswer(fresh, method, path),
          await describeAnswer(open, method, path),
          `${method} ${path}`,
        );
      }
    }
  });

  it("have a path for each of their routes", async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of Object.keys(operations)) {
        await using fresh = await createTestSignin();
        const response = await fresh.call(method.toUpperCase(), path.replaceAll(/[{}]/g, ""));
        const { code } = (await response.json().catch(() => ({}))) as { code?: string };
        const isRouted = code !== "not_found" || /\{id\}$/.test(path);
        assert.equal(isRouted, true, `${method} ${path} is missing in signin/app.ts`);
      }
    }
  });

  it("are opened by the first request that needs them, once, and the others are not", async () => {
    const opened: string[] = [];
    const slice = (...paths: string[]) => ({
      paths,
      open: async () => {
        opened.push(paths[0] ?? "");
        return new OpenAPIHono();
      },
    });
    let completed = 0;
    const routers = createRouters([slice("/a", "/a/{id}"), slice("/{any}/b"), slice("/c")], () => {
      completed += 1;
    });
    const a = await routers.find("/a");
    assert.deepEqual(opened, ["/a"]);
    assert.equal(await routers.find("/a/1"), a);
    assert.deepEqual(opened, ["/a"]);
    await routers.find("/a/b");
    assert.deepEqual(opened, ["/a", "/a", "/{any}/b"], "both match");
    await routers.find("/a/");
    await routers.find("/d");
    assert.equal(completed, 3, "paths of no slice share one router");
    const all = await routers.openAll();
    assert.equal(await routers.openAll(), all);
    assert.equal(await routers.find("/a"), all);
  });
});

async function describeAnswer(signin: TestSignin, method: string, path: string) {
  const response = await signin.call(method, path);
  const headers = Object.fromEntries(response.headers);
  const text = await response.text();
  // What is random: ids of requests, states of flows, challenges.
  const { "x-request-id": _id, location: _to, "set-cookie": _cookie, ...fixed } = headers;
  const isRandom = response.ok && method === "POST";
  const withoutId = text.replace(/"request_id":"[^"]*"/, "");
  return { status: response.status, headers: fixed, text: isRandom ? "" : withoutId };
}
