// `npm run openapi`: writes the OpenAPI documents of both programs beside them, from their routes, and the JSON Schema of
// the engine's WebSocket frames.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeFrames } from "../test/support/documents/frame-schema.ts";
import { createTestEngine } from "../test/support/engine/engine.ts";
import { createTestSignin } from "../test/support/signin/signin.ts";

const ROOT = join(import.meta.dirname, "..");

/** The documents as the programs serve them, by their files; the address of the sign-in server is the default one. */
export async function readDocuments(): Promise<Record<string, string>> {
  await using engine = await createTestEngine();
  const fromEngine = await engine.call("GET", "/openapi.json");
  const baseUrl = "http://127.0.0.1:8787";
  await using signin = await createTestSignin({
    APP_ENV: "development",
    APP_BASE_URL: baseUrl,
    APP_UI_BASE_URL: baseUrl,
  });
  const fromSignin = await signin.call("GET", `${baseUrl}/openapi.json`);
  return {
    "engine/openapi.json": toText(await fromEngine.json()),
    "engine/frames.schema.json": toText(describeFrames()),
    "signin/openapi.json": toText(await fromSignin.json()),
  };
}

function toText(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await readDocuments())) {
    writeFileSync(join(ROOT, path), text);
  }
}
