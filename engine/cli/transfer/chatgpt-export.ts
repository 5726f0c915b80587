import { z } from "zod";
import { type ImportedMessage, type ImportedWorkspace, notImportable } from "./own-export.ts";

const Content = z.object({ parts: z.array(z.unknown()).optional(), text: z.string().optional() });
const Node = z.object({
  parent: z.string().nullish(),
  message: z
    .object({
      author: z.object({ role: z.string() }),
      content: Content.nullish(),
      metadata: z
        .object({ is_visually_hidden_from_conversation: z.boolean().optional() })
        .nullish(),
    })
    .nullish(),
});
const Conversation = z.object({
  title: z.string().nullish(),
  current_node: z.string().nullish(),
  mapping: z.record(z.string(), Node),
});

const WORKSPACE_NAME = "ChatGPT";

/**
 * Reads `conversations.json` of ChatGPT's export. A conversation is a tree; its thread is the branch that was shown last. Texts of
 * the user and the assistant are taken over, files and images are not.
 * @throws CommandFailed with the number of the conversation
 */
export function parseChatgptExport(conversations: readonly unknown[]): ImportedWorkspace[] {
  const threads = conversations.map((value, at) => {
    const parsed = Conversation.safeParse(value);
    if (!parsed.success)
      throw notImportable(`Conversation ${at + 1}`, "It does not have the expected format.");
    const { title, mapping, current_node: last } = parsed.data;
    return {
      title: title?.toWellFormed() ?? null,
      messages: branchOf(mapping, last ?? Object.keys(mapping).at(-1)),
    };
  });
  const filled = threads.filter(({ messages }) => messages.length > 0);
  return [{ name: WORKSPACE_NAME, description: null, threads: filled }];
}

/** The messages from the root to a node. A circle ends where it meets itself. */
function branchOf(
  mapping: Readonly<Record<string, z.output<typeof Node>>>,
  last: string | undefined,
): ImportedMessage[] {
  const messages: ImportedMessage[] = [];
  const seen = new Set<string>();
  let at: string | null | undefined = last;
  while (at && !seen.has(at) && Object.hasOwn(mapping, at)) {
    seen.add(at);
    const node: z.output<typeof Node> | undefined = mapping[at];
    const message = node && toMessage(node);
    if (message) messages.push(message);
    at = node?.parent;
  }
  return messages.reverse();
}

function toMessage({ message }: z.output<typeof Node>): ImportedMessage | undefined {
  const role = message?.author.role;
  if (role !== "user" && role !== "assistant") return undefined;
  if (message?.metadata?.is_visually_hidden_from_conversation) return undefined;
  const { parts = [], text = "" } = message?.content ?? {};
  const texts = parts.filter((part): part is string => typeof part === "string");
  const content = texts.length > 0 ? texts.join("\n") : text;
  return content.trim() === "" ? undefined : { role, content: content.toWellFormed() };
}
