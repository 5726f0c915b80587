// `npm run openapi`: writes the OpenAPI documents of both programs beside them, from their routes and the texts of their
// slices, and the JSON Schema of the engine's WebSocket frames. The programs serve these files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { engineTexts } from "../engine/openapi.ts";
import { VERSION as ENGINE_VERSION } from "../engine/version.ts";
import type { ProgramTexts } from "../shared/http/openapi-texts.ts";
import { signinTexts } from "../signin/openapi.ts";
import { VERSION as SIGNIN_VERSION } from "../signin/version.ts";
import { createTestEngine } from "../test/support/engine/engine.ts";
import { createTestSignin } from "../test/support/signin/signin.ts";
import { completeDocument } from "./documents/complete.ts";
import type { Document, JsonObject } from "./documents/document.ts";
import { eventComponents } from "./documents/events.ts";
import { describeFrames } from "./documents/frames.ts";

const ROOT = join(import.meta.dirname, "..");

/** The documents, by their files; the address of the sign-in server is the default one. */
export async function readDocuments(): Promise<Record<string, string>> {
  await using engine = await createTestEngine();
  await using signin = await createTestSignin();
  const ofEngine = describeApi(engine.engine.api, {
    texts: engineTexts,
    version: ENGINE_VERSION,
    components: eventComponents(),
  });
  const ofSignin = describeApi(await signin.signin.openAll(), {
    texts: signinTexts,
    version: SIGNIN_VERSION,
  });
  return {
    "engine/openapi.json": toText(ofEngine),
    "engine/frames.schema.json": toText(describeFrames()),
    "signin/openapi.json": toText(ofSignin),
  };
}

/** @throws IncompleteTexts */
function describeApi(
  api: OpenAPIHono,
  {
    texts,
    version,
    components = {},
  }: { texts: ProgramTexts; version: string; components?: Record<string, JsonObject> },
): Document {
  api.openAPIRegistry.registerComponent("securitySchemes", "bearer", texts.bearer);
  const declared = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: texts.title,
      version,
      description: texts.about,
      contact: { name: "The maintainers of Roundhouse" },
    },
    servers: [{ url: texts.server }],
    security: [{ bearer: [] }],
  });
  // zod-to-openapi knows no identifier of a license.
  const license = { name: "MIT", identifier: "MIT" };
  // A plain copy, without undefined fields and shared references.
  const document: Document = JSON.parse(JSON.stringify(declared));
  Object.assign(document.info, { license });
  Object.assign(document.components.schemas, components);
  return completeDocument(document, texts);
}

function toText(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await readDocuments())) {
    writeFileSync(join(ROOT, path), text);
  }
}
