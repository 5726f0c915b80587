import { UserFacingError } from "../failure.ts";

/** The output of a command. */
export interface Output {
  /** One line for a person, or for a program that reads lines. */
  line(text: string): void;
  /** A table, or one JSON array under `--json`. */
  rows(rows: readonly Row[]): void;
  /** One JSON value a line, with and without `--json`. */
  json(value: unknown): void;
  /** A line of text, or one JSON value under `--json`. */
  entry(value: unknown, text: string): void;
}

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A command failed. The message is for the operator. */
export class CommandFailed extends UserFacingError {
  override name = "CommandFailed";
}

export function createTextOutput(write: (text: string) => void): Output {
  const line = (text: string) => write(`${text}\n`);
  return {
    line,
    json: jsonWriter(write),
    entry: (_value, text) => line(text),
    rows(rows) {
      for (const text of toTable(rows)) line(text);
    },
  };
}

/** One JSON value a line, without remarks. */
export function createJsonOutput(write: (text: string) => void): Output {
  const json = jsonWriter(write);
  return {
    json,
    entry: json,
    line() {},
    rows: (rows) => json(rows),
  };
}

function jsonWriter(write: (text: string) => void) {
  return (value: unknown) => write(`${JSON.stringify(value)}\n`);
}

function toTable(rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => toCell(row[name] ?? null)))];
  const widths = names.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  return lines.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** A value in one line: a display name must not move the cursor, change the writing direction or begin a line. */
export function toCell(value: string | number | boolean | null): string {
  return value === null ? "-" : String(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}
