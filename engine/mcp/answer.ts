import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { ToolImage } from "../tools/builtin/builtin.ts";
import type { ForeignText } from "./foreign-text.ts";
import { MCP_IMAGES_MAX, MCP_RESULT_BYTES_MAX } from "./limits.ts";

/** What a call gave: text for the model, and images if it may look at them. */
export interface McpAnswer {
  text: string;
  images: readonly ToolImage[];
  failed: boolean;
}

// What every provider with images takes.
const IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export function toAnswer(result: CallToolResult, foreign: ForeignText): McpAnswer {
  const { content = [], structuredContent, isError = false } = result;
  const images = content.flatMap(toImage).slice(0, MCP_IMAGES_MAX);
  const lines = content.map(toLine);
  const isBare = content.length === 0 && structuredContent !== undefined;
  const text = isBare ? JSON.stringify(structuredContent) : lines.join("\n");
  return { text: foreign.clean(text, MCP_RESULT_BYTES_MAX), images, failed: isError };
}

function toImage(block: ContentBlock): ToolImage[] {
  if (block.type !== "image" || !IMAGE_TYPES.has(block.mimeType)) return [];
  return [{ mediaType: block.mimeType, bytes: Buffer.from(block.data, "base64") }];
}

function toLine(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return IMAGE_TYPES.has(block.mimeType) ? "[An image.]" : "[An image that cannot be shown.]";
    case "audio":
      return "[Audio that cannot be played.]";
    case "resource_link":
      return `[A link to ${block.name}: ${block.uri}]`;
    case "resource":
      return "text" in block.resource
        ? block.resource.text
        : `[Bytes of ${block.resource.uri} that cannot be shown.]`;
  }
}
