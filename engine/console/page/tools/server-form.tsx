import { useState } from "preact/hooks";
import type { ToolConfiguration, UpsertToolConfiguration } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { useAction } from "../ui/action.tsx";
import { Form, TextField } from "../ui/form.tsx";
import { HeaderLines } from "../ui/header-lines.tsx";
import { parseHeaderLines } from "../ui/parse-header-lines.ts";

const FIELDS = [
  ["endpointUrl", "Address", "http://127.0.0.1:3000/mcp"],
  ["name", "Name", "The names of its tools begin with it"],
] as const;

interface FormProps {
  /** The server to change; a new one without. */
  record?: ToolConfiguration;
  onDone: () => void;
}

/** The form of an MCP server. Its headers go to the engine alone, which never tells them again. */
export function ServerForm({ record, onDone }: FormProps) {
  const [fields, setFields] = useState<Fields>({
    name: record?.name ?? "",
    endpointUrl: record?.endpointUrl ?? "",
  });
  const [headers, setHeaders] = useState("");
  const [clears, setClears] = useState(false);
  const save = useAction(async () => {
    const input = toInput(fields, headers, record, clears);
    if (record) await engine.tools.update(record.uuid, input);
    else await engine.tools.create(input);
    onDone();
  });
  return (
    <div class="card">
      <Form
        action={save}
        verb={record ? "Save" : "Connect"}
        isIncomplete={fields.name.trim() === "" || fields.endpointUrl.trim() === ""}
        onLeave={onDone}
      >
        <div class="fields">
          {FIELDS.map(([name, label, hint]) => (
            <TextField
              key={name}
              label={label}
              placeholder={hint}
              value={fields[name]}
              onInput={(text) => setFields({ ...fields, [name]: text })}
            />
          ))}
        </div>
        <p class="muted small">You cannot connect a server here that starts as a command.</p>
        <HeaderLines
          hasStored={record?.hasAuthConfig === true}
          text={headers}
          onInput={setHeaders}
        />
        {record?.hasAuthConfig && (
          <label class="switch">
            <input type="checkbox" checked={clears} onChange={() => setClears(!clears)} /> Remove
            the stored headers
          </label>
        )}
      </Form>
    </div>
  );
}

type Fields = Record<(typeof FIELDS)[number][0], string>;

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
    alias: record?.alias ?? null,
    description: record?.description ?? null,
    endpointUrl: fields.endpointUrl.trim(),
    toolType: "mcp",
    status: record?.status ?? "active",
    ...(hasNew || keeps ? { authType: "api_key" as const } : {}),
    ...(hasNew ? { authConfigJson: given } : {}),
  };
}
