/** The part of workerd's API that this program uses, and that neither Node's nor the browser's types have. */
declare module "cloudflare:workers" {
  /** Variables and secrets, and the bindings of wrangler.toml. */
  export const env: Readonly<Record<string, unknown>>;
}

/** The third argument of a handler in workerd. */
interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/** A `[[ratelimits]]` binding. It counts for one location, approximately. */
interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** A D1 database. What it throws is an Error whose message begins with `D1_`. */
interface D1Binding {
  prepare(sql: string): D1Statement;
  /** One transaction: all statements, or none. */
  batch(statements: D1Statement[]): Promise<D1Result[]>;
}

interface D1Statement {
  bind(...values: D1Value[]): D1Statement;
  /** The names of the columns, then the rows. */
  raw(options: { columnNames: true }): Promise<[string[], ...unknown[][]]>;
}

type D1Value = string | number | null;

interface D1Result {
  results: Record<string, unknown>[];
}
