// The strings of workspaces and threads that hold JSON: what the JSON is, for the document.

/** The texts of a field whose string holds a value of `component`. */
function jsonField(description: string, component: string, example: unknown) {
  return {
    description,
    contentMediaType: "application/json",
    contentSchema: { $ref: `#/components/schemas/${component}` },
    example: JSON.stringify(example),
  };
}

/** By the name of the field. */
export const JSON_FIELDS = {
  directories: jsonField(
    "The roots: a JSON array of absolute paths; null has none. Anything else counts as none.",
    "Directories",
    ["/home/ada/notes"],
  ),
  toolsConfig: jsonField(
    "Which tools may be used, as JSON; null switches nothing off. A thread's is merged over its workspace's.",
    "ToolsConfig",
    { builtin: { filesystem: { tools: { delete_path: false } } } },
  ),
  approvalConfig: jsonField(
    "Which operations ask the user first, as JSON; null asks for all. A thread's replaces its workspace's.",
    "ApprovalConfig",
    { create: true, read: false, update: true, delete: true },
  ),
  ragConfig: jsonField(
    "Which roots are not searched, as JSON; null leaves all roots enabled.",
    "RagConfig",
    { roots: [{ path: "/home/ada/notes", enabled: false }] },
  ),
  skillsConfig: jsonField(
    "Instructions that are added to turns, as JSON; null has none. A malformed one fails the turn.",
    "SkillsConfig",
    {
      skills: [{ name: "Plain words", instructions: "Answer without jargon.", enabled: true }],
    },
  ),
  authConfigJson: jsonField(
    "The headers of requests to the tool, as JSON of at most 64 KiB; write-only.",
    "AuthConfig",
    { "X-Api-Key": "secret" },
  ),
};
