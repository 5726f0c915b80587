// A chat in the terminal: `node examples/terminal-chat.ts [folder]`. It uses the running engine, or launches one.
// Ctrl-C cancels an answer; at the prompt it ends the chat.
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { type ApprovalRequest, connect, TurnCancelled, TurnFailed } from "roundhouse/client/node";

await using engine = await connect({ launch: true });
const folder = process.argv[2];
const { uuid: workspaceUuid } = await engine.workspaces.create({
  name: "Terminal",
  directories: folder ? [folder] : [],
});
const terminal = createInterface({ input: stdin, output: stdout });
let answering: AbortController | undefined;
let isOpen = true;
terminal.on("close", () => {
  isOpen = false;
});
terminal.on("SIGINT", () => (answering ? answering.abort() : terminal.close()));

async function onApproval({ toolName, arguments: args }: ApprovalRequest) {
  const answer = await terminal.question(`\n${toolName} ${JSON.stringify(args)}\nRun it? [y/N] `);
  return answer.trim().toLowerCase() === "y";
}

async function ask(content: string, threadUuid: string | undefined): Promise<string | undefined> {
  answering = new AbortController();
  const where = threadUuid ? { threadUuid } : { workspaceUuid };
  const turn = engine.chat({ ...where, content }, { signal: answering.signal, onApproval });
  let place = threadUuid;
  for await (const event of turn) {
    if (event.type === "begin") place = event.turn.threadUuid;
    if (event.type === "text") stdout.write(event.delta);
    if (event.type === "tool") stdout.write(`\n[${event.toolName}: ${event.state}]\n`);
  }
  try {
    await turn;
  } catch (error) {
    if (!(error instanceof TurnCancelled || error instanceof TurnFailed)) throw error;
    stdout.write(`\n${error.message}`);
  } finally {
    answering = undefined;
    stdout.write("\n");
  }
  return place;
}

let threadUuid: string | undefined;
terminal.prompt();
for await (const line of terminal) {
  if (line.trim() !== "") threadUuid = await ask(line, threadUuid);
  if (isOpen) terminal.prompt();
}
