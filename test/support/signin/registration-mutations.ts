import { FLAG, type Mutation, rsaCoseKey } from "./authenticator.ts";
import { type Dishonest, flipLast, listShared, without } from "./mutations.ts";

// The oracle leaves a key to its first sign-in, and does not compare the two ids.
const STRICTER =
  /key|exponent|inside|statement that is no map|id that is too long|that is cut|self attestation of another algorithm/;

const put = (entries: [string, unknown][]): Mutation => ({
  attestation: (parts) => new Map([...parts, ...(entries as [string, never][])]),
});
const key = (label: number, value: unknown): Mutation => ({
  cose: (map) => new Map([...map, [label, value as never]]),
});
const drop = (label: number): Mutation => ({
  cose: (map) => new Map([...map].filter(([name]) => name !== label)),
});

/** Registrations that are refused, whatever the algorithm. */
export function listDishonestRegistrations(): Dishonest[] {
  const attestations: [string, string, Mutation][] = [
    ["with a format that was not requested", "attestation", put([["fmt", "tpm"]])],
    ["without a format", "attestation", { attestation: (parts) => new Map([...parts].slice(1)) }],
    ["with a packed attestation of nothing", "attestation", put([["fmt", "packed"]])],
    [
      "with a statement beside none",
      "attestation",
      put([["attStmt", new Map([["sig", Buffer.alloc(8)]])]]),
    ],
    ["with a statement that is no map", "attestation", put([["attStmt", []]])],
    [
      "without authenticator data",
      "attestation",
      { attestation: (parts) => new Map([...parts].slice(0, 2)) },
    ],
    ["with authenticator data that are text", "attestation", put([["authData", "text"]])],
    [
      "with an attestation that is cut",
      "attestation",
      { attestationBytes: (bytes) => bytes.subarray(0, -5) },
    ],
    ["with an empty attestation", "attestation", { attestationBytes: () => Buffer.alloc(0) }],
    [
      "with an attestation of an endless map",
      "attestation",
      {
        attestationBytes: (bytes) =>
          Buffer.concat([Buffer.of(0xbf), bytes.subarray(1), Buffer.of(0xff)]),
      },
    ],
    [
      "with an attestation nested too deep",
      "attestation",
      { attestationBytes: () => Buffer.alloc(4000, 0x81) },
    ],
    [
      "with an attestation of a huge length",
      "attestation",
      { attestationBytes: () => Buffer.from("5bffffffffffffffff", "hex") },
    ],
    [
      "with a self attestation of other data",
      "attestation",
      {
        attestation: (parts, self) =>
          parts.set("fmt", "packed").set(
            "attStmt",
            new Map<string, never>([
              ["alg", self.algorithm as never],
              ["sig", flipLast(self.sign()) as never],
            ]),
          ),
      },
    ],
    [
      "with a self attestation of another algorithm",
      "attestation",
      {
        attestation: (parts, self) =>
          parts.set("fmt", "packed").set(
            "attStmt",
            new Map<string, never>([
              ["alg", -37 as never],
              ["sig", self.sign() as never],
            ]),
          ),
      },
    ],
    ["of another credential inside", "credential", { innerId: Buffer.alloc(32, 7) }],
    ["without a credential", "authenticator_data", { flags: without(FLAG.at) }],
    ["with an id of no bytes inside", "authenticator_data", { innerId: Buffer.alloc(0) }],
    ["with an id that is too long", "authenticator_data", { innerId: Buffer.alloc(1024, 1) }],
    ["without a key type", "public_key", drop(1)],
    ["without an algorithm", "public_key", drop(3)],
    ["without a key", "public_key", drop(-2)],
    ["with a symmetric key", "public_key", key(1, 4)],
    ["with an algorithm that was not requested", "public_key", key(3, -37)],
    ["with the algorithm none", "public_key", key(3, 0)],
    ["with an algorithm as text", "public_key", key(3, "ES256")],
    ["with a short key", "public_key", key(-2, Buffer.alloc(2, 1))],
    ["with a key as text", "public_key", key(-2, "text")],
    ["with a weak RSA key", "public_key", { cose: () => rsaCoseKey(1024) }],
    [
      "with an exponent of one",
      "public_key",
      { cose: () => rsaCoseKey(2048).set(-2, Buffer.of(1)) },
    ],
  ];
  return [
    ...listShared("webauthn.get"),
    ...attestations.map(([what, rule, mutation]) => ({
      what,
      rule,
      mutation,
      isStricter: STRICTER.test(what),
    })),
  ];
}
