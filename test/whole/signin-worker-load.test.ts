import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { promisify } from "node:util";
import { KEYS } from "../support/signin/runtimes.ts";
import { buildWorker } from "../support/worker.ts";

const VARIABLES = {
  APP_ENV: "test",
  APP_BASE_URL: "http://127.0.0.1:8787",
  DATABASE_URL: "http://127.0.0.1:9",
  ...KEYS,
};

// The bundle in Node, as only there a test can see what has been evaluated: zod leaves a global name.
const PROGRAM = `
import { registerHooks } from "node:module";
registerHooks({
  resolve: (name, context, next) =>
    name === "cloudflare:workers"
      ? { url: "data:text/javascript,export const env = " + encodeURIComponent(process.argv[2]), shortCircuit: true }
      : next(name, context),
});
const { default: worker } = await import(process.argv[1]);
const seen = [];
for (const [method, path] of JSON.parse(process.argv[3])) {
  const request = new Request("http://127.0.0.1:8787" + path, { method });
  const { status } = await worker.fetch(request, {}, { waitUntil() {} });
  seen.push([path, status, "__zod_globalConfig" in globalThis]);
}
console.log(JSON.stringify(seen));
`;

it("a Worker answers probes and publishes its keys before it has loaded zod", async () => {
  const requests = [
    ["GET", "/health"],
    ["GET", "/.well-known/jwks.json"],
    ["GET", "/.well-known/oauth-authorization-server"],
    ["GET", "/"],
  ];
  const args = ["--input-type=module", "-e", PROGRAM, await buildWorker()];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...args,
    JSON.stringify(VARIABLES),
    JSON.stringify(requests),
  ]);
  assert.deepEqual(JSON.parse(stdout), [
    ["/health", 200, false],
    ["/.well-known/jwks.json", 200, false],
    ["/.well-known/oauth-authorization-server", 200, false],
    ["/", 200, true],
  ]);
});
