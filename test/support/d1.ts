/** Runs the statements that it gets, in one transaction, on `DB`. */
const SCRIPT = `export default {
  async fetch(request, { DB }) {
    try {
      const statements = await request.json();
      return Response.json(await DB.batch(statements.map(({ sql, args }) => DB.prepare(sql).bind(...args))));
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};`;

/** A Worker for Miniflare that `openD1` talks to, beside those of a test. */
export function d1Worker(name: string) {
  return {
    name: "d1",
    modules: true as const,
    script: SCRIPT,
    compatibilityDate: "2026-11-01",
    d1Databases: { DB: name },
    unsafeDirectSockets: [{ host: "127.0.0.1" }],
  };
}

interface Statement {
  sql: string;
  args: unknown[];
}

/**
 * The database of that Worker. Miniflare's own binding asks workerd three times for a statement, and blocks the thread meanwhile:
 * it took a third of the time of the tests.
 */
export function openD1(url: URL): D1Binding {
  const batch = async (statements: Statement[]) => {
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(statements) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { results: Record<string, unknown>[] }[];
  };
  const prepare = (sql: string, ...args: unknown[]) => ({
    ...{ sql, args },
    bind: (...values: unknown[]) => prepare(sql, ...values),
    async raw() {
      const [{ results } = { results: [] }] = await batch([{ sql, args }]);
      return [Object.keys(results[0] ?? {}), ...results.map((row) => Object.values(row))];
    },
  });
  return { prepare, batch } as unknown as D1Binding;
}
