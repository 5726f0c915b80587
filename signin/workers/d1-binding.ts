import { BadConfiguration } from "../../shared/env.ts";

/**
 * The D1 database that `DB` is bound to; undefined where there is no such binding.
 * @throws BadConfiguration where it is bound to something else
 */
export function readD1Binding(bound: unknown): D1Binding | undefined {
  if (bound === undefined || typeof bound === "string") return undefined;
  const isD1 =
    typeof bound === "object" && bound !== null && "prepare" in bound && "batch" in bound;
  if (!isD1) throw new BadConfiguration("DB: must be bound to a D1 database, or not at all");
  return bound as D1Binding;
}
