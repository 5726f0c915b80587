import { type Command, InvalidArgumentError } from "commander";
import type { Approval } from "../client/client.ts";
import { toVisible } from "../visible.ts";
import type { CommandContext } from "./context.ts";
import { failIfMissing } from "./describe-answer.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `approvals`. */
export function addApprovalCommands(program: Command, context: CommandContext): void {
  const approvals = program
    .command("approvals")
    .description("List the tool calls waiting for approval, oldest first.")
    .action(async () => {
      await using engine = await context.openEngine();
      const waiting = await engine.turns.listApprovals(context);
      const out = context.out();
      for (const approval of waiting) out.entry(approval, describe(approval));
      if (waiting.length === 0) context.remark("No tool calls are waiting for approval.");
    });
  for (const decision of ["approve", "deny"] as const) {
    approvals
      .command(decision)
      .description(decision === "approve" ? "Approve a tool call." : "Deny a tool call.")
      .argument("<uuid>", "a uuid from `approvals`", toUuid)
      .action(async (uuid: string) => {
        await using engine = await context.openEngine();
        const missing = `No call ${uuid} is waiting for approval. \`approvals\` lists those that are.`;
        const decided = await engine.turns
          .decideApproval(uuid, { decision }, context)
          .catch(failIfMissing(missing));
        const text = decided.state === "approved" ? "is allowed once" : "is not allowed";
        context.out().entry(decided, `${nameOf(decided)} ${text}.`);
      });
  }
}

/** `UUID  delete_path (delete) {"path":"/tmp/a"}`, and who asks. */
function describe(approval: Approval): string {
  const { uuid, operation, arguments: given, argumentsTruncated, clientKey } = approval;
  const cut = argumentsTruncated ? " …" : "";
  const key = clientKey === null ? "" : `  for the key ${toVisible(clientKey.name)}`;
  return `${uuid}  ${nameOf(approval)} (${operation}) ${toVisible(JSON.stringify(given))}${cut}${key}`;
}

/** The tool of a call, and its server. */
export function nameOf({ toolName, serverName }: Pick<Approval, "toolName"> & Partial<Approval>) {
  return toVisible(serverName ? `${toolName} on ${serverName}` : toolName);
}

function toUuid(text: string): string {
  if (UUID.test(text)) return text;
  throw new InvalidArgumentError("It must be a uuid from `approvals`.");
}
