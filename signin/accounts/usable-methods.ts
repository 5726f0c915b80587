import type { UsableMethods } from "../db/sign-in-methods.ts";
import type { Scope } from "../deps.ts";

/** The dependencies of the disconnect rule. */
export type MethodDeps = Pick<Scope, "providers" | "relyingParty">;

/** Identities of a disabled provider do not count, nor do passkeys of another relying party: they cannot sign in. */
export async function listUsableMethods(deps: MethodDeps): Promise<UsableMethods> {
  const { id: rpId } = await deps.relyingParty();
  return { providers: deps.providers.list().map(({ slug }) => slug), rpId };
}
