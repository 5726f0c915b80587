/** What this program uses of workerd, as far as Node's and the browser's types do not know it. */
declare module "cloudflare:workers" {
  /** Variables and secrets, and the bindings of wrangler.toml. */
  export const env: Readonly<Record<string, unknown>>;
}

/** What workerd hands to a handler beside the request. */
interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/** A `[[ratelimits]]` binding: counts for one location, and not exactly. */
interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}
