import type { InStatement, ResultSet } from "@libsql/client";
import type { Database } from "../../shared/database.ts";
import { embedded } from "./embedded.ts";

interface SliceBounds {
  /** The longest time of one slice. */
  ms: number;
  min: number;
  max: number;
}

/** How much one slice of background work takes; it adapts to the time that the last one took. */
export class SliceSize {
  readonly #bounds: SliceBounds;
  #size: number;

  constructor(bounds: SliceBounds) {
    this.#bounds = bounds;
    this.#size = bounds.min;
  }

  get value(): number {
    return this.#size;
  }

  /** Measures with the real clock on purpose: how long this process was busy. */
  async measure<Result>(slice: (size: number) => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await slice(this.#size);
    const { ms, min, max } = this.#bounds;
    const factor = performance.now() - startedAt > ms ? 0.5 : 1.25;
    this.#size = Math.min(max, Math.max(min, Math.ceil(this.#size * factor)));
    return result;
  }
}

/**
 * Commits background work that is repeated after a power cut, so the commit does not wait for the disk. The statements
 * succeed or fail together.
 */
export function writeRelaxed(db: Database, statements: InStatement[]): Promise<ResultSet[]> {
  return embedded(db).batchRelaxed(statements);
}

/** As many rows as fit into a slice by their `bytes`, at least one. */
export function rowsWithin(rows: ResultSet["rows"], bytesMax: number): ResultSet["rows"] {
  let sum = 0;
  return rows.filter(({ bytes }, at) => {
    sum += Number(bytes ?? 0);
    return at === 0 || sum <= bytesMax;
  });
}
