import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from "node:crypto";

/** What an authenticator writes as CBOR. A Map keeps its order, so that a test can write what no authenticator would. */
export type Encodable =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | Encodable[]
  | Map<number | string, Encodable>;

export function encodeCbor(value: Encodable): Buffer {
  if (value === false) return Buffer.of(0xf4);
  if (value === true) return Buffer.of(0xf5);
  if (value === null) return Buffer.of(0xf6);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    const bytes = Buffer.from(value, "utf8");
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)]);
  const parts = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

function head(type: number, argument: number): Buffer {
  const first = type << 5;
  if (argument < 24) return Buffer.of(first | argument);
  if (argument < 256) return Buffer.of(first | 24, argument);
  const long = argument >= 65_536;
  const bytes = Buffer.alloc(long ? 5 : 3);
  bytes[0] = first | (long ? 26 : 25);
  if (long) bytes.writeUInt32BE(argument, 1);
  else bytes.writeUInt16BE(argument, 1);
  return bytes;
}

export const ALGORITHM_NAMES = ["EdDSA", "ES256", "RS256"] as const;
export type AlgorithmName = (typeof ALGORITHM_NAMES)[number];

/** The parts of the server's options that an authenticator reads. */
export interface CreateOptions {
  rp: { id: string };
  user: { id: string };
  challenge: string;
}

export interface GetOptions {
  rpId: string;
  challenge: string;
}

type CoseMap = Map<number | string, Encodable>;

/** How a response departs from an honest one. Each part is applied before what depends on it is hashed or signed. */
export interface Mutation {
  clientData?: (data: Record<string, unknown>) => unknown;
  clientDataBytes?: (bytes: Buffer) => Buffer;
  rpId?: string;
  flags?: (flags: number) => number;
  counter?: number;
  cose?: (key: CoseMap) => CoseMap;
  /** The id in the authenticator data of a registration. */
  innerId?: Buffer;
  authData?: (bytes: Buffer) => Buffer;
  /** Behind the flag of extensions. */
  extensions?: Encodable;
  attestation?: (parts: Map<string, Encodable>, self: SelfAttestation) => Map<string, Encodable>;
  attestationBytes?: (bytes: Buffer) => Buffer;
  signature?: (bytes: Buffer) => Buffer;
  userHandle?: string | null;
  credential?: (json: Record<string, unknown>) => unknown;
}

/** Makes the statement of a self attestation. */
interface SelfAttestation {
  algorithm: number;
  sign(): Buffer;
}

export const FLAG = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40, ed: 0x80 };
const COSE_ALGORITHM = { EdDSA: -8, ES256: -7, RS256: -257 };

/** An authenticator in software with one passkey: real keys, real CBOR, and whatever a test wants to be wrong. */
export class SoftAuthenticator {
  readonly algorithm: AlgorithmName;
  readonly origin: string;
  readonly credentialId: Buffer;
  readonly isSynced: boolean;
  counter = 0;
  #keys: { publicKey: KeyObject; privateKey: KeyObject };
  #userHandle: string | undefined;

  constructor({
    algorithm = "ES256",
    origin,
    isSynced = false,
    credentialId = randomBytes(32),
  }: {
    algorithm?: AlgorithmName;
    origin: string;
    isSynced?: boolean;
    credentialId?: Buffer;
  }) {
    this.algorithm = algorithm;
    this.origin = origin;
    this.isSynced = isSynced;
    this.credentialId = credentialId;
    this.#keys = makeKeys(algorithm);
  }

  /** `navigator.credentials.create()`, as JSON. */
  create(options: CreateOptions, mutation: Mutation = {}) {
    this.#userHandle = options.user.id;
    const clientData = this.#clientData("webauthn.create", options.challenge, mutation);
    const key = mutation.cose?.(this.coseKey()) ?? this.coseKey();
    const id = mutation.innerId ?? this.credentialId;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, encodeCbor(key)]);
    const authData = this.#authData(options.rp.id, FLAG.at, credential, mutation);
    const signed = () => this.#sign(Buffer.concat([authData, sha256(clientData)]));
    const parts = new Map<string, Encodable>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    const self = { algorithm: COSE_ALGORITHM[this.algorithm], sign: signed };
    const attestation = encodeCbor(mutation.attestation?.(parts, self) ?? parts);
    const attestationObject = mutation.attestationBytes?.(attestation) ?? attestation;
    return this.#toJson(mutation, {
      clientDataJSON: clientData.toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal", "hybrid"],
    });
  }

  /** `navigator.credentials.get()`, as JSON. */
  get(options: GetOptions, mutation: Mutation = {}) {
    const clientData = this.#clientData("webauthn.get", options.challenge, mutation);
    const authData = this.#authData(options.rpId, 0, Buffer.alloc(0), mutation);
    const signature = this.#sign(Buffer.concat([authData, sha256(clientData)]));
    const handle = mutation.userHandle === undefined ? this.#userHandle : mutation.userHandle;
    return this.#toJson(mutation, {
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: (mutation.signature?.(signature) ?? signature).toString("base64url"),
      ...(handle === null ? {} : { userHandle: handle }),
    });
  }

  /** Another key under the same credential id. */
  replaceKeys(): void {
    this.#keys = makeKeys(this.algorithm);
  }

  coseKey(): CoseMap {
    const jwk = this.#keys.publicKey.export({ format: "jwk" });
    const bytes = (text = "") => Buffer.from(text, "base64url");
    switch (this.algorithm) {
      case "EdDSA":
        return new Map<number, Encodable>([
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, bytes(jwk.x)],
        ]);
      case "ES256":
        return new Map<number, Encodable>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(jwk.x)],
          [-3, bytes(jwk.y)],
        ]);
      case "RS256":
        return new Map<number, Encodable>([
          [1, 3],
          [3, -257],
          [-1, bytes(jwk.n)],
          [-2, bytes(jwk.e)],
        ]);
    }
  }

  #clientData(type: string, challenge: string, { clientData, clientDataBytes }: Mutation): Buffer {
    const honest = { type, challenge, origin: this.origin, crossOrigin: false };
    const bytes = Buffer.from(JSON.stringify(clientData?.(honest) ?? honest), "utf8");
    return clientDataBytes?.(bytes) ?? bytes;
  }

  #authData(rpId: string, more: number, credential: Buffer, mutation: Mutation): Buffer {
    const backup = this.isSynced ? FLAG.be | FLAG.bs : 0;
    const extensions = mutation.extensions === undefined ? 0 : FLAG.ed;
    const honest = FLAG.up | FLAG.uv | backup | more | extensions;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(mutation.counter ?? this.counter);
    const bytes = Buffer.concat([
      sha256(mutation.rpId ?? rpId),
      Buffer.of(mutation.flags?.(honest) ?? honest),
      counter,
      credential,
      mutation.extensions === undefined ? Buffer.alloc(0) : encodeCbor(mutation.extensions),
    ]);
    return mutation.authData?.(bytes) ?? bytes;
  }

  #sign(data: Buffer): Buffer {
    return signBytes(this.algorithm === "EdDSA" ? null : "sha256", data, this.#keys.privateKey);
  }

  #toJson(mutation: Mutation, response: Record<string, unknown>) {
    const id = this.credentialId.toString("base64url");
    const json = {
      id,
      rawId: id,
      type: "public-key",
      response,
      clientExtensionResults: {},
      authenticatorAttachment: "platform",
    };
    // The mutated one is what a test wants to send, whatever its type.
    return (mutation.credential?.(structuredClone(json)) ?? json) as typeof json;
  }
}

function makeKeys(algorithm: AlgorithmName) {
  switch (algorithm) {
    case "EdDSA":
      return generateKeyPairSync("ed25519");
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    case "RS256":
      return nextRsa();
  }
}

// An RSA key takes a hundred times as long to make as the others: two of them take turns.
const rsaPairs: ReturnType<typeof makeRsa>[] = [];

function nextRsa() {
  const pair = rsaPairs.length < 2 ? makeRsa(2048) : rsaPairs.shift();
  if (!pair) throw new Error("There is no RSA key.");
  rsaPairs.push(pair);
  return pair;
}

function makeRsa(modulusLength: number) {
  return generateKeyPairSync("rsa", { modulusLength });
}

/** The COSE key of a fresh RSA key of any size. */
export function rsaCoseKey(bits: number): CoseMap {
  const { n = "", e = "" } = makeRsa(bits).publicKey.export({ format: "jwk" });
  return new Map<number, Encodable>([
    [1, 3],
    [3, -257],
    [-1, Buffer.from(n, "base64url")],
    [-2, Buffer.from(e, "base64url")],
  ]);
}

function sha256(data: Buffer | string): Buffer {
  return createHash("sha256").update(data).digest();
}
