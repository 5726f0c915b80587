import type { Dice } from "../texts.ts";
import { hostileJson, hostileText } from "./hostile-values.ts";
import { pick } from "./run.ts";

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
