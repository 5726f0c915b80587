import type { InArgs, InValue, Row } from "@libsql/core/api";
import { toRow } from "../result-set.ts";

// Converts values between the `@libsql/client` interface and the `libsql` package.

const PREFIXES = new Set([":", "@", "$"]);

/** Arguments for `libsql`. @throws TypeError for undefined, which is an error of the caller. */
export function bind(args: InArgs): unknown[] | Record<string, unknown> {
  if (Array.isArray(args)) return args.map(toNative);
  const bound: Record<string, unknown> = {};
  for (const name of Object.keys(args)) {
    bound[PREFIXES.has(name.charAt(0)) ? name.slice(1) : name] = toNative(args[name]);
  }
  return bound;
}

function toNative(value: InValue | undefined): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length);
  if (value instanceof Date) return value.getTime();
  if (value === undefined) throw new TypeError("undefined cannot be bound to a statement");
  return value;
}

/** A row with values by position and by name. A blob becomes an ArrayBuffer. */
export function toEmbeddedRow(values: unknown[], columns: string[]): Row {
  values.forEach((value, at) => {
    if (!Buffer.isBuffer(value)) return;
    values[at] = value.buffer.slice(value.byteOffset, value.byteOffset + value.length);
  });
  return toRow(values, columns);
}
