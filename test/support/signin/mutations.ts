import { FLAG, type Mutation } from "./authenticator.ts";

/** A dishonest response: what is wrong, and the rule that it breaks. */
export interface Dishonest {
  what: string;
  rule: string;
  mutation: Mutation;
  /** @simplewebauthn/server may accept it; here it is refused all the same. */
  isStricter?: boolean;
}

export const without = (flag: number) => (flags: number) => flags & ~flag;
const clientField = (fields: Record<string, unknown>) => (data: Record<string, unknown>) => ({
  ...data,
  ...fields,
});
export const flipLast = (bytes: Buffer) => {
  const copy = Buffer.from(bytes);
  copy[copy.length - 1] = (copy[copy.length - 1] ?? 0) ^ 1;
  return copy;
};
const response = (change: (fields: Record<string, unknown>) => object) => ({
  credential: (json: Record<string, unknown>) => ({
    ...json,
    response: change(json.response as Record<string, unknown>),
  }),
});

/** What is refused in both ceremonies. `type` is that of the other ceremony. */
export function listShared(type: string): Dishonest[] {
  const shared: [string, string, Mutation][] = [
    ["of the other ceremony", "type", { clientData: clientField({ type }) }],
    ["of an unknown type", "type", { clientData: clientField({ type: "payment.get" }) }],
    [
      "of a foreign origin",
      "origin",
      { clientData: clientField({ origin: "https://evil.example.test" }) },
    ],
    [
      "of a sub-domain",
      "origin",
      { clientData: clientField({ origin: "https://a.auth.example.test" }) },
    ],
    [
      "of a listed CORS origin",
      "origin",
      { clientData: clientField({ origin: "https://other.example.test" }) },
    ],
    ["of http", "origin", { clientData: clientField({ origin: "http://auth.example.test" }) }],
    [
      "of another port",
      "origin",
      { clientData: clientField({ origin: "https://auth.example.test:444" }) },
    ],
    [
      "of the origin with a slash",
      "origin",
      { clientData: clientField({ origin: "https://auth.example.test/" }) },
    ],
    ["of the origin null", "origin", { clientData: clientField({ origin: "null" }) }],
    [
      "of a list of origins",
      "client_data",
      { clientData: clientField({ origin: ["https://auth.example.test"] }) },
    ],
    ["without a type", "client_data", { clientData: clientField({ type: undefined }) }],
    ["without an origin", "client_data", { clientData: clientField({ origin: undefined }) }],
    ["without a challenge", "client_data", { clientData: clientField({ challenge: undefined }) }],
    ["with an empty challenge", "challenge", { clientData: clientField({ challenge: "" }) }],
    [
      "with a foreign challenge",
      "challenge",
      { clientData: clientField({ challenge: "A".repeat(43) }) },
    ],
    [
      "with a cut challenge",
      "challenge",
      { clientData: (data) => ({ ...data, challenge: String(data.challenge).slice(0, 40) }) },
    ],
    [
      "with a padded challenge",
      "challenge",
      { clientData: (data) => ({ ...data, challenge: `${data.challenge}=` }) },
    ],
    ["with client data that are no object", "client_data", { clientData: () => ["webauthn.get"] }],
    [
      "with client data that are null",
      "client_data",
      { clientDataBytes: () => Buffer.from("null") },
    ],
    [
      "with client data that are no JSON",
      "client_data",
      { clientDataBytes: () => Buffer.from("{") },
    ],
    ["with client data that are empty", "client_data", { clientDataBytes: () => Buffer.alloc(0) }],
    [
      "with client data that are not UTF-8",
      "client_data",
      {
        clientDataBytes: (bytes) =>
          Buffer.concat([bytes.subarray(0, 2), Buffer.of(0xff), bytes.subarray(2)]),
      },
    ],
    ["of another domain", "rp_id", { rpId: "evil.example.test" }],
    ["of the parent domain", "rp_id", { rpId: "example.test" }],
    ["of the domain in capitals", "rp_id", { rpId: "AUTH.example.test" }],
    ["without a present user", "user_presence", { flags: without(FLAG.up) }],
    ["without a verified user", "user_verification", { flags: without(FLAG.uv) }],
    ["without any flag", "user_presence", { flags: (flags) => flags & FLAG.at }],
    [
      "that is backed up and cannot be",
      "backup_flags",
      { flags: (flags) => (flags & ~FLAG.be) | FLAG.bs },
    ],
    [
      "with authenticator data cut in the middle",
      "authenticator_data",
      { authData: (bytes) => bytes.subarray(0, 36) },
    ],
    ["with empty authenticator data", "authenticator_data", { authData: () => Buffer.alloc(0) }],
    [
      "with bytes behind the authenticator data",
      "authenticator_data",
      { authData: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) },
    ],
    [
      "with a flag of extensions and none",
      "authenticator_data",
      { flags: (flags) => flags | FLAG.ed },
    ],
    [
      "of another credential type",
      "credential",
      { credential: (json) => ({ ...json, type: "password" }) },
    ],
    ["with two ids", "credential", { credential: (json) => ({ ...json, id: "AAAA" }) }],
    ["with an empty id", "credential", { credential: (json) => ({ ...json, id: "", rawId: "" }) }],
  ];
  return [...shared.map(([what, rule, mutation]) => ({ what, rule, mutation })), ...OWN_SHARED];
}

// The oracle leaves some of these out.
const OWN_SHARED: Dishonest[] = [
  {
    what: "of a page in a foreign frame",
    rule: "cross_origin",
    mutation: { clientData: clientField({ crossOrigin: true }) },
    isStricter: true,
  },
  {
    what: "of a page in a foreign frame, by its name",
    rule: "cross_origin",
    mutation: { clientData: clientField({ topOrigin: "https://evil.example.test" }) },
    isStricter: true,
  },
  {
    what: "with a cross-origin flag that is text",
    rule: "cross_origin",
    mutation: { clientData: clientField({ crossOrigin: "false" }) },
    isStricter: true,
  },
  {
    what: "with extensions that are no map",
    rule: "authenticator_data",
    mutation: { extensions: [1] },
    isStricter: true,
  },
];

// The oracle leaves the account to its caller, and takes bytes behind a DER signature.
const STRICTER = /account|unknown passkey|backup eligibility|longer signature/;

/** Sign-ins that are refused, whatever the algorithm. `handle` is that of another account. */
export function listDishonestSignIns(handle: string): Dishonest[] {
  const more: [string, string, Mutation][] = [
    ["with a signature of other data", "signature", { signature: flipLast }],
    ["with an empty signature", "signature", { signature: () => Buffer.alloc(0) }],
    ["with a cut signature", "signature", { signature: (bytes) => bytes.subarray(0, -1) }],
    [
      "with a longer signature",
      "signature",
      { signature: (bytes) => Buffer.concat([bytes, Buffer.of(0)]) },
    ],
    [
      "with a signature of zeros",
      "signature",
      { signature: (bytes) => Buffer.alloc(bytes.length) },
    ],
    [
      "with a signature of huge numbers",
      "signature",
      { signature: () => Buffer.from("3084ffffffff", "hex") },
    ],
    [
      "with client data that were not signed",
      "signature",
      response((fields) => ({
        ...fields,
        clientDataJSON: addBlank(String(fields.clientDataJSON)),
      })),
    ],
    [
      "with a counter that was not signed",
      "signature",
      response((fields) => ({
        ...fields,
        authenticatorData: raiseCounter(String(fields.authenticatorData)),
      })),
    ],
    [
      "of an unknown passkey",
      "unknown_passkey",
      { credential: (json) => ({ ...json, id: "AAAA", rawId: "AAAA" }) },
    ],
    ["without an account", "user_handle", { userHandle: null }],
    ["of an empty account", "user_handle", { userHandle: "" }],
    ["of another account", "user_handle", { userHandle: handle }],
    ["with a changed backup eligibility", "backup_flags", { flags: (flags) => flags ^ FLAG.be }],
  ];
  return [
    ...listShared("webauthn.create"),
    ...more.map(([what, rule, mutation]) => ({
      what,
      rule,
      mutation,
      isStricter: STRICTER.test(what),
    })),
  ];
}

function addBlank(clientDataJson: string): string {
  const bytes = Buffer.from(clientDataJson, "base64url");
  return Buffer.concat([bytes, Buffer.from(" ")]).toString("base64url");
}

function raiseCounter(authenticatorData: string): string {
  const bytes = Buffer.from(authenticatorData, "base64url");
  bytes.writeUInt32BE(bytes.readUInt32BE(33) + 1, 33);
  return bytes.toString("base64url");
}
