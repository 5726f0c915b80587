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
