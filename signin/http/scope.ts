import type { Context } from "hono";
import type { Scope } from "../deps.ts";

/** What `createFront` hands to every handler. */
export interface Bindings {
  scope: Scope;
}

/** The request's scope. */
export function scopeOf(c: Context): Scope {
  // Every request comes through `createFront`, which sets it.
  return (c.env as Bindings).scope;
}
