import type { Client, InArgs, InStatement, ResultSet } from "@libsql/core/api";

/** How single statements and batches of D1 are run. */
interface StatementRunner<Prepared> {
  prepare(statement: InStatement, args?: InArgs): Prepared;
  execute(prepared: Prepared): Promise<ResultSet>;
  /** Runs at least one statement, always as one transaction, whatever the mode. */
  batch(prepared: Prepared[]): Promise<ResultSet[]>;
  /** Why there is nothing else. */
  refusal: string;
}

/** The `@libsql/client` interface over what has single statements and batches only. @throws TypeError for the rest of it */
export function createStatementClient<Prepared>(runner: StatementRunner<Prepared>): Client {
  const refuse = (): never => {
    throw new TypeError(runner.refusal);
  };
  return {
    protocol: "d1",
    closed: false,
    execute: async (statement: InStatement, args?: InArgs) =>
      runner.execute(runner.prepare(statement, args)),
    async batch(statements) {
      if (statements.length === 0) return [];
      return runner.batch(
        statements.map((each) =>
          Array.isArray(each) ? runner.prepare(...each) : runner.prepare(each),
        ),
      );
    },
    migrate: refuse,
    transaction: refuse,
    executeMultiple: refuse,
    sync: refuse,
    reconnect: () => {},
    close: () => {},
  };
}
