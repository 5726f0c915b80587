import { useState } from "preact/hooks";
import type { ToolConfiguration } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { useAction } from "../ui/action.tsx";
import { Form, TextField } from "../ui/form.tsx";
import { HeaderLines } from "../ui/header-lines.tsx";
import { parseHeaderLines } from "../ui/parse-header-lines.ts";

interface FormProps {
  /** The server to change; a new one without. */
  record?: ToolConfiguration;
  onDone: () => void;
}

/** The form of an MCP server. Its headers go to the engine alone, which never tells them again. */
export function ServerForm({ record, onDone }: FormProps) {
  const [name, setName] = useState(record?.name ?? "");
  const [address, setAddress] = useState(record?.endpointUrl ?? "");
  const [headers, setHeaders] = useState("");
  const [clears, setClears] = useState(false);
  const save = useAction(async () => {
    const given = parseHeaderLines(headers);
    const hasNew = Object.keys(given).length > 0;
    const keeps = record?.hasAuthConfig === true && !clears;
    const input = {
      name: name.trim(),
      alias: record?.alias ?? null,
      description: record?.description ?? null,
      endpointUrl: address.trim(),
      toolType: "mcp" as const,
      status: record?.status ?? "active",
      // An update without it removes the stored headers.
      ...(hasNew || keeps ? { authType: "api_key" as const } : {}),
      ...(hasNew ? { authConfigJson: given } : {}),
    };
    if (record) await engine.tools.update(record.uuid, input);
    else await engine.tools.create(input);
    onDone();
  });
  return (
    <div class="card">
      <Form
        action={save}
        verb={record ? "Save" : "Connect"}
        isIncomplete={name.trim() === "" || address.trim() === ""}
        onLeave={onDone}
      >
        <div class="fields">
          <TextField
            label="Address"
            placeholder="http://127.0.0.1:3000/mcp"
            value={address}
            onInput={setAddress}
          />
          <TextField
            label="Name"
            placeholder="The names of its tools begin with it"
            value={name}
            onInput={setName}
          />
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
