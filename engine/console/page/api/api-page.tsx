import { useState } from "preact/hooks";
import { hrefOf, route } from "../router.ts";
import { engine } from "../session.ts";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import { type ApiOperation, listedOperations } from "./document.ts";
import { OperationView } from "./operation-view.tsx";

/** API: every operation of the document that the engine serves, each with its schema, code, and a form that sends it. */
export function ApiPage() {
  const document = useLoad("document", (signal) => engine.system.getDocument({ signal }));
  return (
    <>
      <h1>API</h1>
      {document.error && <Failure error={document.error} onRetry={document.reload} />}
      {!document.value && !document.error && <Progress label="Loading the document" />}
      {document.value && <Operations document={document.value} />}
    </>
  );
}

function Operations({ document }: { document: unknown }) {
  const [text, setText] = useState("");
  const operations = listedOperations(document);
  const found = operations.filter((operation) => fits(operation, text.trim().toLowerCase()));
  const shown = operations.find(({ id }) => id === route.value[1]);
  return (
    <div class="api">
      <div>
        <label class="field wide">
          <span>{operations.length} operations</span>
          <input
            type="search"
            value={text}
            placeholder="Filter by path, name or summary"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        {found.length === 0 && <Empty title="No operation fits the filter" />}
        <OperationList operations={found} shown={shown?.id} />
      </div>
      {shown ? (
        <OperationView key={shown.id} document={document} operation={shown} />
      ) : (
        <Empty title="Choose an operation">
          <p>It is shown with its schema, as curl and client code, and can be sent.</p>
        </Empty>
      )}
    </div>
  );
}

function fits({ id, path, summary, method }: ApiOperation, wanted: string): boolean {
  return `${id}\n${method} ${path}\n${summary}`.toLowerCase().includes(wanted);
}

function OperationList({
  operations,
  shown,
}: {
  operations: readonly ApiOperation[];
  shown: string | undefined;
}) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return (
    <nav class="operations" aria-label="Operations">
      {tags.map((tag) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <ul>
            {operations
              .filter((operation) => operation.tag === tag)
              .map(({ id, method, summary }) => (
                <li key={id}>
                  <a href={hrefOf("api", id)} aria-current={id === shown ? "true" : undefined}>
                    <span class="method">{method}</span>
                    <span>{summary}</span>
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
