import { type Dice, pick } from "../../support/random.ts";

/** Short texts that programs take for something else. */
const STRANGE_TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "\ud800",
  "\udfffx\ud83d",
  "\u2028\u2029",
  "\u202etxt.exe",
  "\ufeffa",
  "e\u0301",
  "👩‍👩‍👧‍👦",
  "../../etc/passwd",
  "..\\..\\x",
  "./a.txt",
  "a.txt/",
  "d//b.md",
  "C:\\x",
  "%00",
  "%2e%2e%2f",
  "'; DROP TABLE threads; --",
  '" OR "" = "',
  "*",
  "a* NEAR b",
  "{{7*7}}",
  "NaN",
  "-0",
  "1e400",
  "0x10",
  "9007199254740993",
  "null",
  "true",
  "[]",
  "{}",
  "{",
  '{"__proto__":{"polluted":true}}',
  '[["x"]]',
  "a\r\nX-Injected: 1",
  "Bearer x",
  "2026-01-01T00:00:00Z",
];

/** Pieces whose repetition once took a regular expression, or a normalization, a time far beyond its length. */
const REPEATED_TEXTS = [
  "-eyJaaaaaaaaaaa",
  ".eyJaaaaaaaaaaaa",
  "input token count ",
  "/",
  "\\",
  "\u0301\u0323",
  "-----BEGIN PRIVATE KEY-----",
  "# ",
  " ",
  "\u2028",
  "[",
  "{",
  '{"a":',
  '"',
  "%",
  ".",
  "a.",
  "Bearer ",
  "sk-",
  "😀",
  "\n",
  "\0",
  "*",
  "(",
];

/** How long long texts are; the longest ones are rare, as the engine stores and lists some of them. */
const LENGTHS = [20, 20, 200, 200, 2_000, 2_000, 2_000, 20_000, 20_000, 250_000];

/** A text of some kind that a client should not send. */
export function hostileText(dice: Dice, charactersMax = 250_000): string {
  if (dice(3) > 0) return pick(dice, STRANGE_TEXTS).slice(0, charactersMax);
  const piece = pick(dice, REPEATED_TEXTS);
  const length = Math.min(pick(dice, LENGTHS), charactersMax);
  const text = piece.repeat(Math.ceil(length / piece.length));
  const [before, after] = [pick(dice, ["", "a", "# a", "---\ntitle: "]), pick(dice, ["", "x\n"])];
  return before + text + after;
}

/** A value of another type than the one that was asked for. */
export function hostileJson(dice: Dice): unknown {
  switch (dice(12)) {
    case 0:
      return null;
    case 1:
      return pick(dice, [true, false]);
    case 2:
      return pick(dice, [0, -1, 1.5, 1e308, -0, 2 ** 53, 4_294_967_296]);
    case 3:
      return [];
    case 4:
      return {};
    case 5:
      return nested(pick(dice, [5, 90, 150, 3_000]), dice(2) === 0);
    case 6:
      return JSON.parse(
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
      );
    case 7:
      return Array.from({ length: pick(dice, [1, 20, 2_000]) }, () => "x");
    case 8:
      return Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at]));
    case 9:
      return [hostileText(dice), null, [hostileText(dice)]];
    default:
      return hostileText(dice);
  }
}

function nested(depth: number, isArray: boolean): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = isArray ? [value] : { a: value };
  return value;
}

/** Bytes that are no JSON object, or hardly one. */
export function brokenJson(dice: Dice, whole: string): Buffer | string {
  switch (dice(10)) {
    case 0:
      return whole.slice(0, dice(whole.length + 1));
    case 1:
      return `${whole}${whole}`;
    case 2:
      return Buffer.concat([Buffer.from(whole.slice(0, 5)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]);
    case 3:
      return Buffer.from(whole, "utf16le");
    case 4:
      return `\ufeff${whole}`;
    case 5:
      return "[".repeat(pick(dice, [10, 10_000, 200_000]));
    case 6:
      return `{"a":`.repeat(pick(dice, [10, 10_000, 100_000]));
    case 7:
      return pick(dice, ["", "null", "nul", "[]", "1", '"x"', "NaN", "{,}", "'a'", "/* */{}"]);
    case 8:
      return whole.replace("{", `{"__proto__":{"polluted":true},"name":1,"name":2,`);
    default:
      return Buffer.from(whole).fill(dice(256), dice(whole.length + 1));
  }
}

/** As much of JSON Schema as the engine's documents use. */
export interface ValueSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  oneOf?: ValueSchema[];
  anyOf?: ValueSchema[];
  properties?: Record<string, ValueSchema>;
  required?: string[];
  items?: ValueSchema;
  minimum?: number;
  maximum?: number;
}

/** Where a fuzzer takes from what no schema tells. */
export interface ValueSource {
  dice: Dice;
  resolve(reference: string): ValueSchema;
  /** A text that fits a field of this name. */
  textFor(name: string): string;
}

/** A value that a schema allows, as far as the schema tells. */
export function toValue(source: ValueSource, schema: ValueSchema, name = ""): unknown {
  const { dice } = source;
  if (schema.$ref) return toValue(source, source.resolve(schema.$ref), name);
  if ("const" in schema) return schema.const;
  if (schema.enum) return pick(dice, schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return toValue(source, pick(dice, choices), name);
  const type = Array.isArray(schema.type) ? pick(dice, schema.type) : schema.type;
  switch (type) {
    case "object":
      return objectOf(source, schema);
    case "array":
      return Array.from({ length: dice(4) }, () => toValue(source, schema.items ?? {}, name));
    case "integer":
    case "number":
      return (schema.minimum ?? 0) + dice(Math.min(schema.maximum ?? 3, 5));
    case "boolean":
      return dice(2) === 0;
    case "null":
      return null;
    case "string":
      return source.textFor(name);
    default:
      return hostileJson(dice);
  }
}

function objectOf(source: ValueSource, schema: ValueSchema): Record<string, unknown> {
  const required = new Set(schema.required);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || source.dice(2) === 0)
    .map(([name, property]) => [name, toValue(source, property, name)] as const);
  return Object.fromEntries(entries);
}

/** The same value with one thing wrong. */
export function spoil(dice: Dice, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return hostileJson(dice);
  const names = Object.keys(value);
  const name = names.length > 0 ? pick(dice, names) : "name";
  const fields = value as Record<string, unknown>;
  switch (dice(6)) {
    case 0:
      return hostileJson(dice);
    case 1: {
      const { [name]: _, ...rest } = fields;
      return rest;
    }
    case 2:
      return { ...fields, [name]: hostileJson(dice) };
    case 3:
      return { ...fields, ...JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') };
    case 4:
      return Object.fromEntries(
        Object.entries(fields).map(([key, item]) => [snakeCase(key), item]),
      );
    default:
      return { ...fields, [name]: hostileText(dice) };
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
