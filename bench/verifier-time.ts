import { SigninHarness } from "../test/support/signin/harness.ts";
import { nodeRuntime } from "../test/support/signin/runtimes.ts";
import { createVerifier } from "../test/support/signin/verifier.ts";
import { interleave, median } from "./harness.ts";

const VERIFICATIONS = 1000;
const ROUNDS_RUN = 8;

/** What a service pays for each token, its keys being there, and for the signature in it alone, one after the other, in milliseconds. */
export async function measureVerifierTime(): Promise<{ verifier: number; signature: number }> {
  await using harness = await SigninHarness.open(nodeRuntime, { JWT_SIGNING_ALG: "EdDSA" });
  const issuer = harness.signin.baseUrl;
  const { access_token: token } = await harness.openNativeSession();
  const verify = createVerifier({ issuer, audience: "signin" });
  const verifySignature = await createSignatureCheck(issuer, token);
  const { ours, floor } = await interleave(
    () => meanMsOf(() => verify(token)),
    () => meanMsOf(verifySignature),
    ROUNDS_RUN,
  );
  // The first of each warms it up.
  return { verifier: median(ours.slice(1)), signature: median(floor.slice(1)) };
}

/** WebCrypto with everything parsed before. */
async function createSignatureCheck(issuer: string, token: string): Promise<() => Promise<void>> {
  const published = await fetch(`${issuer}/.well-known/jwks.json`);
  const { keys } = (await published.json()) as { keys: JsonWebKey[] };
  const { kty, crv, x } = keys[0] ?? {};
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  const end = token.lastIndexOf(".");
  const text = new TextEncoder().encode(token.slice(0, end));
  const signature = Buffer.from(token.slice(end + 1), "base64url");
  return async () => {
    const isGood = await crypto.subtle.verify("Ed25519", key, signature, text);
    if (!isGood) throw new Error("The signature is not good.");
  };
}

async function meanMsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < VERIFICATIONS; at += 1) await work();
  return (performance.now() - startedAt) / VERIFICATIONS;
}
