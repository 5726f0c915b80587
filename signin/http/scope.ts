import type { Context } from "hono";
import type { Scope } from "../deps.ts";

/** The value that `createFront` passes to every handler. */
interface Bindings {
  scope: Scope;
}

/** The request's scope. */
export function scopeOf(c: Context): Scope {
  // `createFront` sets it for every request.
  return (c.env as Bindings).scope;
}
