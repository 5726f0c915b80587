// Stands in the bundle for zod-to-openapi (engine/bundle.ts): the OpenAPI document is a file there, and routes
// need no more of that package than the places where they would describe themselves.
import type { z } from "zod";

/** Gives schemas an `openapi()` that keeps nothing. */
export function extendZodWithOpenApi({ ZodType }: typeof z): void {
  Object.assign(ZodType.prototype, {
    openapi(this: unknown) {
      return this;
    },
  });
}

/** Keeps nothing; routers look through it when they join. */
export class OpenAPIRegistry {
  readonly definitions: readonly never[] = [];

  registerPath(): void {}
}

class NoDocument {
  generateDocument(): never {
    throw new Error("The OpenAPI document is not made in a bundle.");
  }
}

export const OpenApiGeneratorV3 = NoDocument;
export const OpenApiGeneratorV31 = NoDocument;

export function getOpenApiMetadata(): object {
  return {};
}
