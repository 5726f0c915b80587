import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { encodeCbor, type SoftAuthenticator } from "../../support/signin/authenticator.ts";
import { RP_ID } from "../../support/signin/passkeys.ts";
import { BASE_URL, UI_URL } from "../../support/signin/signin.ts";

const EXPECTED = { expectedOrigin: [BASE_URL, UI_URL], expectedRPID: RP_ID };

/** Whether @simplewebauthn/server accepts a registration: a second opinion on every answer here. */
export async function oracleAcceptsRegistration(
  response: unknown,
  expectedChallenge: string,
): Promise<boolean> {
  try {
    const { verified } = await verifyRegistrationResponse({
      ...EXPECTED,
      // Mutated responses are of no type.
      response: response as never,
      expectedChallenge,
      supportedAlgorithmIDs: [-8, -7, -257],
      requireUserVerification: true,
    });
    return verified;
  } catch {
    return false;
  }
}

/** The same for a sign-in with the passkey of `device`. */
export async function oracleAcceptsSignIn(
  response: unknown,
  expectedChallenge: string,
  device: SoftAuthenticator,
): Promise<boolean> {
  try {
    const { verified } = await verifyAuthenticationResponse({
      ...EXPECTED,
      response: response as never,
      expectedChallenge,
      requireUserVerification: true,
      credential: {
        id: device.credentialId.toString("base64url"),
        publicKey: new Uint8Array(encodeCbor(device.coseKey())),
        counter: device.counter,
      },
    });
    return verified;
  } catch {
    return false;
  }
}
