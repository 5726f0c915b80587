import type { UsableMethods } from "../db/sign-in-methods.ts";
import type { Scope } from "../deps.ts";

/** The dependencies of the disconnect rule. */
export type MethodDeps = Pick<Scope, "providers" | "relyingParty">;

/** Identities of a disabled provider do not count, nor do passkeys of another relying party: they cannot sign in. */
export function listUsableMethods({ providers, relyingParty }: MethodDeps): UsableMethods {
  return { providers: providers.list().map(({ slug }) => slug), rpId: relyingParty().id };
}
