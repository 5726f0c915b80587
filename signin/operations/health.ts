import { VERSION } from "../version.ts";

/** The answer to `GET /health`. */
export const HEALTH = { status: "ok" as const, version: VERSION };
