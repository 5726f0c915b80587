const flag = (description: string) => ({ type: "boolean", description });
const asks = (what: string) => flag(`Whether ${what} asks first; only a literal false does not.`);

/** The components that describe these values. */
export const policySchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Directories: {
    type: "array",
    description: "The roots of a workspace.",
    items: { type: "string", description: "An absolute path." },
  },
  ToolsConfig: {
    type: "object",
    description: "Which tools may be used. Only a literal false switches off.",
    properties: {
      builtin_enabled: flag("Whether built-in tools may be used; by default true."),
      builtin: {
        type: "object",
        description: "The groups of built-in tools, by name (`GET /tools/catalog`).",
        additionalProperties: {
          type: "object",
          description: "One group.",
          properties: {
            enabled: flag("Whether the group may be used; by default true."),
            tools: {
              type: "object",
              description: "Whether each tool of the group may be used, by name; by default true.",
              additionalProperties: { type: "boolean" },
            },
          },
        },
      },
      mcp: {
        type: "object",
        description:
          "The configured MCP servers, by the uuid of their tool (`GET /tool-registry`).",
        additionalProperties: {
          type: "object",
          description: "One server.",
          properties: {
            enabled: flag("Whether turns connect the server; by default false."),
            tools: {
              type: "object",
              description:
                "Whether each tool of the server may be used, by the server's own name; by default true.",
              additionalProperties: { type: "boolean" },
            },
          },
        },
      },
    },
  },
  ApprovalConfig: {
    type: "object",
    description: "Which operations of tools ask the user first; one that is left out does.",
    properties: {
      create: asks("a tool that creates"),
      read: asks("a tool that reads"),
      update: asks("a tool that changes"),
      delete: asks("a tool that deletes"),
    },
  },
  RagConfig: {
    type: "object",
    description: "How the roots are searched.",
    properties: {
      roots: {
        type: "array",
        description: "Roots with choices of their own; others are enabled.",
        items: {
          type: "object",
          description: "One root.",
          properties: {
            path: { type: "string", description: "The root, as `directories` has it." },
            enabled: flag("Whether the root is indexed and searched; by default true."),
            watch: flag("Whether its index follows its files by itself; by default false."),
          },
          required: ["path"],
        },
      },
    },
  },
  SkillsConfig: {
    type: "object",
    description: "Instructions that are added to turns.",
    properties: {
      skills: {
        type: "array",
        description: "The skills; a thread's replaces the workspace's of the same name.",
        items: {
          type: "object",
          description: "One skill.",
          properties: {
            name: { type: "string", description: "The name." },
            instructions: { type: "string", description: "What the model reads." },
            enabled: flag("Whether it is added; by default true."),
          },
          required: ["name", "instructions"],
        },
      },
    },
  },
  AuthConfig: {
    type: "object",
    description: "Headers of requests, by name; values are neither blank nor have line breaks.",
    minProperties: 1,
    additionalProperties: { type: "string" },
  },
};
