import { useState } from "preact/hooks";
import { curlOf } from "../curl.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Described } from "../ui/described.tsx";
import { Scrollable } from "../ui/scrollable.tsx";
import { type ApiValues, faultOf, toApiRequest } from "./api-request.ts";
import { type ApiOperation, type ApiParameter, nameOfReference, type Schema } from "./document.ts";
import { exampleOf } from "./schema-example.ts";
import { fieldsOf, typeOf } from "./schema-fields.ts";
import { snippetOf } from "./snippet.ts";
import { TryIt } from "./try-it.tsx";

const SOCKET = "openEvents";

interface OperationProps {
  /** The live document, for references. */
  document: unknown;
  operation: ApiOperation;
}

/** An operation: what it does, its form, the same as code, and its schemas. */
export function OperationView({ document, operation }: OperationProps) {
  const [values, setValues] = useState<ApiValues>(() => ({
    parameters: {},
    body: operation.body && JSON.stringify(exampleOf(document, operation.body), null, 2),
  }));
  return (
    <article class="card operation" aria-labelledby="operation">
      <h2 id="operation" class="wrap">
        {operation.summary}
      </h2>
      <p class="wrap">
        <span class="badge">{operation.method}</span> <code>{operation.path}</code>
      </p>
      <p>
        <Described text={operation.description} />
      </p>
      {operation.parameters.map((parameter) => (
        <ParameterInput
          key={parameter.name}
          parameter={parameter}
          type={typeOf(document, parameter.schema)}
          value={values.parameters[parameter.name] ?? ""}
          onInput={(text) =>
            setValues({ ...values, parameters: { ...values.parameters, [parameter.name]: text } })
          }
        />
      ))}
      {values.body !== undefined && (
        <label class="field wide">
          <span>Body, JSON</span>
          <textarea
            rows={Math.min(14, values.body.split("\n").length + 1)}
            spellcheck={false}
            value={values.body}
            onInput={({ currentTarget }) => setValues({ ...values, body: currentTarget.value })}
          />
        </label>
      )}
      {operation.id === SOCKET ? (
        <p class="muted">This opens a WebSocket, which the form cannot show.</p>
      ) : (
        <TryIt operation={operation} values={values} />
      )}
      <Code operation={operation} values={values} />
      <Schemas document={document} operation={operation} />
    </article>
  );
}

function ParameterInput({
  parameter,
  type,
  value,
  onInput,
}: {
  parameter: ApiParameter;
  type: string;
  value: string;
  onInput: (text: string) => void;
}) {
  const { name, isRequired, description } = parameter;
  return (
    <label class="field wide">
      <span>
        <code>{name}</code> {type}
        {isRequired && ", required"}
      </span>
      <input
        value={value}
        required={isRequired}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="small">
        <Described text={description} />
      </span>
    </label>
  );
}

function Code({ operation, values }: { operation: ApiOperation; values: ApiValues }) {
  // An incomplete form is shown as code, too; one whose body is no JSON cannot be.
  const isReadable = !faultOf(operation, { ...values, parameters: filled(operation, values) });
  if (!isReadable) return null;
  const request = toApiRequest(operation, values);
  const curl = curlOf({ ...request, url: `${location.origin}${request.path}` });
  const snippet = snippetOf(operation, values);
  return (
    <>
      <CodeBlock title="curl" text={curl} />
      {snippet && <CodeBlock title="Client" text={snippet} />}
    </>
  );
}

function filled(operation: ApiOperation, { parameters }: ApiValues): Record<string, string> {
  return Object.fromEntries(
    operation.parameters.map(({ name }) => [name, parameters[name] || "…"]),
  );
}

function CodeBlock({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title}>
      <div class="row spread">
        <h3>{title}</h3>
        <CopyButton text={() => text} label={`Copy ${title === "curl" ? "curl" : "snippet"}`} />
      </div>
      <pre class="code">
        <code>{text}</code>
      </pre>
    </section>
  );
}

function Schemas({ document, operation }: OperationProps) {
  return (
    <>
      {operation.body && <SchemaTable title="Body" document={document} schema={operation.body} />}
      <h3>Responses</h3>
      {operation.responses.map(({ status, description, contentType, schema }) => (
        <details key={status}>
          <summary>
            <span class={status < "400" ? "badge good" : "badge"}>{status}</span> {description}
            {schema && <span class="muted"> {typeOf(document, schema)}</span>}
          </summary>
          {contentType && <p class="muted small">{contentType}</p>}
          {schema && (
            <SchemaTable
              title={nameOfReference(schema) ?? ""}
              document={document}
              schema={schema}
            />
          )}
        </details>
      ))}
    </>
  );
}

function SchemaTable({
  title,
  document,
  schema,
}: {
  title: string;
  document: unknown;
  schema: Schema;
}) {
  const rows = fieldsOf(document, schema);
  if (rows.length === 0) return null;
  return (
    <Scrollable label={`Fields of ${title}`}>
      <table class="schema small">
        <thead>
          <tr>
            <th scope="col">{title || "Field"}</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, isRequired, description }, at) => (
            <tr key={`${name} ${at}`}>
              <td>
                <code>{name}</code>
                {isRequired && <span class="muted"> required</span>}
              </td>
              <td>{type}</td>
              <td>
                <Described text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
