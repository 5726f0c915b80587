import { crc32 } from "node:zlib";

/** One message of Amazon's binary event stream: lengths, headers, payload, two checksums. */
export function toBedrockFrame(
  type: string,
  payload: object,
  messageType: "event" | "exception" = "event",
): Uint8Array {
  const headers = Buffer.concat([
    header(messageType === "event" ? ":event-type" : ":exception-type", type),
    header(":content-type", "application/json"),
    header(":message-type", messageType),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const head = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([head, checksum(head)]);
}

const STRING_TYPE = 7;

function header(name: string, value: string): Buffer {
  const head = Buffer.alloc(1 + name.length + 3);
  head.writeUInt8(name.length, 0);
  head.write(name, 1, "latin1");
  head.writeUInt8(STRING_TYPE, 1 + name.length);
  head.writeUInt16BE(value.length, 2 + name.length);
  return Buffer.concat([head, Buffer.from(value, "latin1")]);
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes) >>> 0);
  return sum;
}
