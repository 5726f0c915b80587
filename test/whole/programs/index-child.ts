import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { silentLogger } from "../../../shared/log.ts";

// A process that indexes the root it is given, with the data directory it is given, and says when it begins and how it ended: for tests that kill it or starve it.
const [path = "", dataDirectory = "", query = ""] = process.argv.slice(2);
const root = { rootIndex: 0, path };
const config = { embeddings: { kind: "builtin" as const }, dataDirectory };
const retrieval = openRetrieval({ config, log: silentLogger });
await retrieval.status([]);
process.stdout.write("begins\n");
try {
  const counts = await retrieval.indexRoot(root);
  process.stdout.write(`${JSON.stringify(counts)}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: String(error) })}\n`);
}
const hits = await retrieval.search([root], { query, mode: "keyword", limit: 50 });
process.stdout.write(`${JSON.stringify(hits.map((hit) => hit.path))}\n`);
await retrieval[Symbol.asyncDispose]();
