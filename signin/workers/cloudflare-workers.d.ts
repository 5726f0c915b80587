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
