// `npm run openapi`: writes the OpenAPI documents of both programs beside them, from their routes, and the JSON Schema of the engine's WebSocket frames. The programs serve these files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { engineDocument } from "../engine/openapi.ts";
import { VERSION as ENGINE_VERSION } from "../engine/version.ts";
import type { ProgramDocument } from "../shared/http/program-document.ts";
import { signinDocument } from "../signin/openapi.ts";
import { VERSION as SIGNIN_VERSION } from "../signin/version.ts";
import { createTestEngine } from "../test/support/engine/engine.ts";
import { createTestSignin } from "../test/support/signin/signin.ts";
import { completeDocument } from "./documents/complete.ts";
import type { Document } from "./documents/document.ts";
import { eventComponents } from "./documents/events.ts";
import { describeFrames } from "./documents/frames.ts";

const ROOT = join(import.meta.dirname, "..");

/** The documents, by their files; the address of the sign-in server is the default one. */
export async function readDocuments(): Promise<Record<string, string>> {
  await using engine = await createTestEngine();
  await using signin = await createTestSignin();
  const ofEngine = declaredDocument(engine.engine.api, engineDocument, ENGINE_VERSION);
  Object.assign(ofEngine.components.schemas, eventComponents());
  const ofSignin = declaredDocument(signin.signin.api, signinDocument, SIGNIN_VERSION);
  return {
    "engine/openapi.json": toText(completeDocument(ofEngine, engineDocument)),
    "engine/frames.schema.json": toText(describeFrames()),
    "signin/openapi.json": toText(completeDocument(ofSignin, signinDocument)),
  };
}

/** What the routes declare, as a plain copy without undefined fields and shared references. */
function declaredDocument(api: OpenAPIHono, program: ProgramDocument, version: string): Document {
  api.openAPIRegistry.registerComponent("securitySchemes", "bearer", program.bearer);
  const declared = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: program.title,
      version,
      description: program.description,
      contact: { name: "The maintainers of Roundhouse" },
    },
    servers: [{ url: program.server }],
    security: [{ bearer: [] }],
  });
  const document: Document = JSON.parse(JSON.stringify(declared));
  // zod-to-openapi knows no identifier of a license.
  Object.assign(document.info, { license: { name: "MIT", identifier: "MIT" } });
  return document;
}

function toText(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await readDocuments())) {
    writeFileSync(join(ROOT, path), text);
  }
}
