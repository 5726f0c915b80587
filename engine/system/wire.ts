import { z } from "@hono/zod-openapi";

/** Engine §2, core objects. */
export const Health = z.object({ status: z.literal("ok"), version: z.string() }).openapi("Health");

/** The answer of the placeholder endpoint. */
export const AguiPlaceholder = z.object({ message: z.string() }).openapi("AguiPlaceholder");
