const flag = (description: string) => ({ type: "boolean", description });
const asks = (what: string) => flag(`Whether ${what} asks first; only a literal false does not.`);
const object = (description: string, properties: object, required?: readonly string[]) => ({
  type: "object",
  description,
  properties,
  ...(required && { required }),
});
const byName = (description: string, additionalProperties: object) => ({
  type: "object",
  description,
  additionalProperties,
});
const list = (description: string, items: object) => ({ type: "array", description, items });

/** The components that describe these values. */
export const policySchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Directories: list("The roots of a workspace.", {
    type: "string",
    description: "An absolute path.",
  }),
  ToolsConfig: object("Which tools may be used. Only a literal false switches off.", {
    builtin_enabled: flag("Whether built-in tools may be used; by default true."),
    builtin: byName(
      "The groups of built-in tools, by name (`GET /tools/catalog`).",
      object("One group.", {
        enabled: flag("Whether the group may be used; by default true."),
        tools: byName("Whether each tool of the group may be used, by name; by default true.", {
          type: "boolean",
        }),
      }),
    ),
    mcp: byName(
      "The configured MCP servers, by the uuid of their tool (`GET /tool-registry`).",
      object("One server.", {
        enabled: flag("Whether turns connect the server; by default false."),
        tools: byName(
          "Whether each tool of the server may be used, by the server's own name; by default true.",
          { type: "boolean" },
        ),
      }),
    ),
  }),
  ApprovalConfig: object(
    "Which operations of tools ask the user first; one that is left out does.",
    {
      create: asks("a tool that creates"),
      read: asks("a tool that reads"),
      update: asks("a tool that changes"),
      delete: asks("a tool that deletes"),
    },
  ),
  RagConfig: object("How the roots are searched.", {
    roots: list(
      "Roots with choices of their own; others are enabled.",
      object(
        "One root.",
        {
          path: { type: "string", description: "The root, as `directories` has it." },
          enabled: flag("Whether the root is indexed and searched; by default true."),
          watch: flag("Whether its index follows its files by itself; by default false."),
        },
        ["path"],
      ),
    ),
  }),
  SkillsConfig: object("Instructions that are added to turns.", {
    skills: list(
      "The skills; a thread's replaces the workspace's of the same name.",
      object(
        "One skill.",
        {
          name: { type: "string", description: "The name." },
          instructions: { type: "string", description: "What the model reads." },
          enabled: flag("Whether it is added; by default true."),
        },
        ["name", "instructions"],
      ),
    ),
  }),
  AuthConfig: {
    type: "object",
    description: "Headers of requests, by name; values are neither blank nor have line breaks.",
    minProperties: 1,
    additionalProperties: { type: "string" },
  },
};
