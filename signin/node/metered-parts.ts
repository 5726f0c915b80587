import type { Client } from "@libsql/client";
import { createDatabase, type Database } from "../../shared/database.ts";
import type { AuditSink } from "../audit/audit.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { HashQueue } from "../passwords/hash-queue.ts";
import type { DeriveKey } from "../passwords/scrypt-hasher.ts";
import type { RateLimiter } from "../rate-limits/rate-limiter.ts";
import type { DatabaseCall, Metrics } from "./metrics.ts";

// Each part does what it did, and is counted. None changes a result or an error.

export function meterAudit(audit: AuditSink, metrics: Metrics): AuditSink {
  return {
    record(event) {
      metrics.countEvent(event);
      return audit.record(event);
    },
  };
}

export function meterLimiter(limiter: RateLimiter, metrics: Metrics): RateLimiter {
  return {
    async consume(counters) {
      const decision = await limiter.consume(counters);
      // All counters of a call are of one limit.
      if (!decision.ok) metrics.countLimit(counters[0]?.key ?? "");
      return decision;
    },
    clear: (counter) => limiter.clear(counter),
  };
}

export function meterMailer(mailer: Mailer, metrics: Metrics): Mailer {
  return {
    async send(mail) {
      let outcome: "sent" | "failed" = "failed";
      try {
        await mailer.send(mail);
        outcome = "sent";
      } finally {
        metrics.countMail(outcome);
      }
    },
  };
}

/** Counts the waiting and the running hashes. */
export function meterQueue(queue: HashQueue, { hash }: Metrics): HashQueue {
  return {
    async run(client, work) {
      let isRunning = false;
      hash.waiting.inc();
      try {
        return await queue.run(client, async () => {
          isRunning = true;
          hash.waiting.dec();
          hash.running.inc();
          return work();
        });
      } finally {
        if (isRunning) hash.running.dec();
        else {
          hash.waiting.dec();
          hash.countRefused();
        }
      }
    },
  };
}

/** Times each hash, without its wait in the queue. */
export function meterDerive(derive: DeriveKey, { hash }: Metrics): DeriveKey {
  return async (...parts) => {
    const end = hash.startTimer();
    try {
      return await derive(...parts);
    } finally {
      end();
    }
  };
}

/** The calls of a client that are timed, and as what. */
const CALLS = new Map<unknown, DatabaseCall>([
  ["execute", "execute"],
  ["first", "execute"],
  ["batch", "batch"],
]);

/** The same database through a client that is timed. */
export function meterDatabase({ $client }: Database, metrics: Metrics): Database {
  return createDatabase(
    new Proxy($client, {
      get(client, name) {
        const member: unknown = Reflect.get(client, name, client);
        if (typeof member !== "function") return member;
        // Its private fields are those of the client itself.
        const method = member.bind(client) as (...args: unknown[]) => unknown;
        const kind = CALLS.get(name);
        return kind === undefined ? method : timed(kind, method);
      },
    }) satisfies Client,
  );

  function timed(kind: DatabaseCall, method: (...args: unknown[]) => unknown) {
    return async (...args: unknown[]) => {
      const end = metrics.startDatabaseTimer(kind);
      try {
        return await method(...args);
      } finally {
        end();
      }
    };
  }
}
