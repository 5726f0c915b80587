import { useState } from "preact/hooks";
import type { ToolConfiguration, UpsertToolConfiguration } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { Form } from "../ui/form.tsx";
import { useAction } from "../ui/use-action.ts";
import { parseHeaderLines } from "./header-lines.ts";
import { HeaderLines } from "./headers-form.tsx";

const FIELDS = [
  ["name", "Name"],
  ["alias", "Name to show"],
  ["endpointUrl", "Address"],
  ["description", "Description"],
] as const;

/** The form of an MCP server. Its headers go to the engine alone, which never tells them again. */
export function ServerForm({
  record,
  onDone,
}: {
  /** The server to change; a new one without. */
  record?: ToolConfiguration;
  onDone: () => void;
}) {
  const [fields, setFields] = useState(() => toFields(record));
  const [headers, setHeaders] = useState("");
  const [clears, setClears] = useState(false);
  const save = useAction(async () => {
    const input = toInput(fields, headers, record, clears);
    if (record) await engine.tools.update(record.uuid, input);
    else await engine.tools.create(input);
    onDone();
  });
  return (
    <Form
      action={save}
      verb={record ? "Save" : "Add server"}
      class="card stack"
      isIncomplete={fields.name.trim() === "" || fields.endpointUrl.trim() === ""}
      onLeave={onDone}
    >
      <div class="fields">
        {FIELDS.map(([name, label]) => (
          <label class="field" key={name}>
            <span>{label}</span>
            <input
              autocomplete="off"
              spellcheck={false}
              placeholder={name === "endpointUrl" ? "http://127.0.0.1:3000/mcp" : undefined}
              value={fields[name]}
              onInput={({ currentTarget }) => setFields({ ...fields, [name]: currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <HeaderLines
        label={
          record?.hasAuthConfig
            ? "Headers: stored; empty keeps them"
            : "Headers of requests, one a line"
        }
        text={headers}
        onInput={setHeaders}
      />
      {record?.hasAuthConfig && (
        <label class="switch">
          <input type="checkbox" checked={clears} onChange={() => setClears(!clears)} /> Remove the
          stored headers
        </label>
      )}
    </Form>
  );
}

type Fields = Record<(typeof FIELDS)[number][0], string>;

function toFields(record: ToolConfiguration | undefined): Fields {
  return {
    name: record?.name ?? "",
    alias: record?.alias ?? "",
    endpointUrl: record?.endpointUrl ?? "",
    description: record?.description ?? "",
  };
}

/** An update without `authType` removes the stored headers, so it is sent where they stay. */
function toInput(
  fields: Fields,
  headers: string,
  record: ToolConfiguration | undefined,
  clears: boolean,
): UpsertToolConfiguration {
  const given = parseHeaderLines(headers);
  const hasNew = Object.keys(given).length > 0;
  const keeps = record?.hasAuthConfig === true && !clears;
  return {
    name: fields.name.trim(),
    alias: fields.alias.trim() || null,
    description: fields.description.trim() || null,
    endpointUrl: fields.endpointUrl.trim(),
    toolType: "mcp",
    status: record?.status ?? "active",
    ...(hasNew || keeps ? { authType: "api_key" as const } : {}),
    ...(hasNew ? { authConfigJson: given } : {}),
  };
}
