import { createHash, createPrivateKey, createPublicKey, hkdfSync } from "node:crypto";
import { type JWK, type JWTHeaderParameters, SignJWT } from "jose";

// For `bench`, which is a package of its own: the verifier as another project imports it.
export { createVerifier } from "roundhouse/signin/verify";

const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** The Ed25519 key pair of an entry of `JWT_SECRET_KEY`, made by node:crypto from the words of the contract. */
export interface KeyPair {
  kid: string;
  /** As the server publishes it. */
  jwk: JWK & { x: string };
  /** A token with these claims; the header is the server's own where it is not changed. */
  sign(claims: object, header?: object): Promise<string>;
}

export function toKeyPair(secret: string): KeyPair {
  const info = "roundhouse-signin ed25519 v1";
  const seed = Buffer.from(hkdfSync("sha256", Buffer.from(secret), Buffer.alloc(0), info, 32));
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: "der",
    type: "pkcs8",
  });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  // RFC 7638, section 3.
  const kid = createHash("sha256")
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
    .digest("base64url");
  return {
    kid,
    jwk: { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" },
    sign(claims, header = {}) {
      const whole = { alg: "EdDSA", typ: "at+jwt", kid, ...header };
      return new SignJWT({ ...claims })
        .setProtectedHeader(whole satisfies JWTHeaderParameters)
        .sign(key);
    },
  };
}
