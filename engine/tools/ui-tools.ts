import type { ToolSpec } from "../models/language-model.ts";

const text = (description: string) => ({ type: "string", description });

function uiTool(
  name: string,
  doc: string,
  properties: Record<string, unknown>,
  required: readonly string[] = Object.keys(properties),
): ToolSpec {
  const parameters = { type: "object", properties, required, additionalProperties: false };
  return { name, doc, parameters };
}

/** The only tools that a client may register, run by the client itself (Engine §4, client UI tools). @internal for tests */
export const UI_TOOLS: readonly ToolSpec[] = [
  uiTool("set_ui_theme_color", "Sets the accent color of the user interface.", {
    color: text("A color as CSS writes it, such as `#4f46e5` or `teal`."),
  }),
  uiTool("set_ui_lighting_mode", "Switches the user interface between light and dark.", {
    mode: { type: "string", enum: ["light", "dark", "system"], description: "The lighting mode." },
  }),
  uiTool("open_ui_workspace_file", "Opens a file of the workspace in the user interface.", {
    root_index: { type: "integer", minimum: 0, description: "The position of the root." },
    path: text("The path of the file, relative to the root, with `/`."),
  }),
  uiTool("navigate_ui", "Shows another screen of the user interface.", {
    destination: text("The name of the screen, such as `chat`, `files`, `models` or `settings`."),
  }),
  uiTool(
    "set_workspace_builtin_tool_enabled",
    "Enables or disables a built-in tool group of the workspace, or one tool of it.",
    {
      group: text("The name of the tool group."),
      tool: text("The name of one tool; the whole group where it is left out."),
      enabled: { type: "boolean", description: "Whether it may be used." },
    },
    ["group", "enabled"],
  ),
];

/** Undefined if a client may not register this id. */
export function findUiTool(id: string): ToolSpec | undefined {
  return UI_TOOLS.find(({ name }) => name === id);
}

/** Their names, for documents. */
export const UI_TOOL_IDS = UI_TOOLS.map(({ name }) => name);
