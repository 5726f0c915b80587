import { type ApprovalPolicy, approvalPolicyOf } from "../../../policies/approval.ts";
import type { Operation } from "../../../policies/operations.ts";
import { engine } from "../session.ts";
import { changeWorkspace } from "../ui/change-workspace.ts";
import { Scrollable } from "../ui/scrollable.tsx";
import { Failure, Progress } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import { useLoad } from "../ui/use-load.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { type ApprovalRow, approvalRows, OPERATIONS, withChoice } from "./approval-table.ts";

/** Which operations of tools ask first in a workspace: a choice for each operation, and the tools that it concerns. */
export function Approvals({ workspace }: WorkspaceProps) {
  const { uuid, approvalConfig } = workspace;
  const catalog = useLoad("catalog", (signal) => engine.tools.getCatalog({ signal }));
  const servers = useLoad(`${uuid} servers`, (signal) => engine.mcp.listTools(uuid, { signal }));
  if (catalog.error) return <Failure error={catalog.error} onRetry={catalog.reload} />;
  if (!catalog.value) return <Progress label="Loading the tools" />;
  const on = (servers.value ?? []).filter(({ state }) => state !== "off");
  const asks = approvalPolicyOf(approvalConfig);
  return (
    <>
      <p class="muted">
        A tool that asks waits until a person approves. A thread can have a policy of its own; UI
        tools and protected files ask in any case.
      </p>
      <Scrollable label="The approval policy">
        <table class="policy">
          <thead>
            <tr>
              <th scope="col">Tools</th>
              {OPERATIONS.map((operation) => (
                <th scope="col" key={operation}>
                  <Choice workspace={workspace} operation={operation} asks={asks} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {approvalRows(catalog.value.builtin, on).map((row) => (
              <Row key={row.group} row={row} asks={asks} />
            ))}
          </tbody>
        </table>
      </Scrollable>
    </>
  );
}

function Choice({
  workspace,
  operation,
  asks,
}: WorkspaceProps & { operation: Operation; asks: ApprovalPolicy }) {
  const change = useAction(() =>
    changeWorkspace(workspace.uuid, ({ approvalConfig }) => ({
      approvalConfig: withChoice(approvalConfig, operation, !asks[operation]),
    })),
  );
  return (
    <label class="field">
      <span>{operation}</span>
      <select value={asks[operation] ? "ask" : "allow"} onChange={change.run}>
        <option value="ask">ask</option>
        <option value="allow">allow</option>
      </select>
      {change.error && <Failure error={change.error} />}
    </label>
  );
}

function Row({ row, asks }: { row: ApprovalRow; asks: ApprovalPolicy }) {
  return (
    <tr>
      <th scope="row" class="wrap">
        <bdi>{row.group}</bdi>
      </th>
      {OPERATIONS.map((operation) => {
        const names = row.tools[operation];
        if (names.length === 0) return <td key={operation} class="muted" aria-label="none" />;
        return (
          <td key={operation}>
            <span class={asks[operation] ? "badge warn" : "badge good"} title={names.join("\n")}>
              {asks[operation] ? "asks" : "allowed"} · {names.length}
            </span>
          </td>
        );
      })}
    </tr>
  );
}
