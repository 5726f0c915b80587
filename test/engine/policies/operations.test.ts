import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JSON_FIELDS } from "../../../engine/policies/json-fields.ts";
import { operationOf } from "../../../engine/policies/operations.ts";
import { BUILTIN_TOOLS } from "../../../engine/tools/builtin/catalog.ts";
import { findUiTool, UI_TOOLS } from "../../../engine/tools/ui-tools.ts";

const VERBS = {
  create: ["create_x", "add_x"],
  read: ["read_x", "get_x", "list_x", "search_x", "find_x"],
  update: ["update_x", "set_x", "edit_x", "replace_x", "move_x", "rename_x", "write_x"],
  delete: ["delete_x", "remove_x"],
};

describe("The operation of a tool", () => {
  for (const [operation, names] of Object.entries(VERBS)) {
    for (const name of names) {
      it(`is ${operation} for ${name}`, () => assert.equal(operationOf(name), operation));
    }
  }

  for (const name of [
    "",
    "x",
    "read",
    "readx",
    "xread_x",
    "READ_x",
    "delete",
    "navigate_ui",
    "__proto__",
  ]) {
    it(`is update for what is not known, such as ${JSON.stringify(name)}`, () => {
      assert.equal(operationOf(name), "update");
    });
  }
});

describe("The built-in tools", () => {
  it("have unique snake_case names that begin with a known verb", () => {
    const names = BUILTIN_TOOLS.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    const verbs = Object.values(VERBS).flat();
    for (const name of names) {
      assert.match(name, /^[a-z]+(_[a-z]+)+$/);
      assert.ok(verbs.includes(`${name.split("_")[0]}_x`), name);
    }
    for (const { name } of UI_TOOLS) assert.equal(names.includes(name), false);
  });

  it("are what the example of `toolsConfig` names", () => {
    const { builtin } = JSON.parse(JSON_FIELDS.toolsConfig.example);
    for (const [group, { tools }] of Object.entries<{ tools: object }>(builtin)) {
      for (const name of Object.keys(tools)) {
        assert.ok(
          BUILTIN_TOOLS.some((tool) => tool.group === group && tool.name === name),
          name,
        );
      }
    }
  });

  it("are classified by their names", () => {
    for (const { name, operation } of BUILTIN_TOOLS) assert.equal(operation, operationOf(name));
    const of = (name: string) => BUILTIN_TOOLS.find((tool) => tool.name === name)?.operation;
    assert.equal(of("create_note"), "create");
    assert.equal(of("read_file"), "read");
    assert.equal(of("replace_file"), "update");
    assert.equal(of("delete_path"), "delete");
  });

  it("describe themselves and their arguments as JSON Schema", () => {
    for (const { spec, name, doc } of BUILTIN_TOOLS) {
      assert.equal(spec.name, name);
      assert.equal(spec.doc, doc);
      assert.match(doc, /^[A-Z].{10,}\.$/);
      assert.equal(spec.parameters.type, "object");
      assert.equal("$schema" in spec.parameters, false);
    }
  });

  it("leave most of a small context window to the conversation", () => {
    const bytes = JSON.stringify(BUILTIN_TOOLS.map(({ spec }) => spec)).length;
    assert.ok(bytes < 16 * 1024, `${bytes} bytes`);
  });

  it("come in the groups of the decisions, each record group with create, list, update and delete", () => {
    const groups = new Set(BUILTIN_TOOLS.map(({ group }) => group));
    for (const group of [
      "filesystem",
      "workspace_files",
      "todo",
      "memory",
      "note",
      "contact",
      "time",
    ]) {
      assert.ok(groups.has(group), group);
    }
    for (const group of ["todo", "memory", "note", "contact"]) {
      const operations = BUILTIN_TOOLS.filter((tool) => tool.group === group).map(
        ({ operation }) => operation,
      );
      assert.deepEqual(operations.toSorted(), ["create", "delete", "read", "update"]);
    }
  });
});

describe("Client UI tools", () => {
  it("are the five of the contract, and nothing else can be found", () => {
    assert.deepEqual(
      UI_TOOLS.map(({ name }) => name),
      [
        "set_ui_theme_color",
        "set_ui_lighting_mode",
        "open_ui_workspace_file",
        "navigate_ui",
        "set_workspace_builtin_tool_enabled",
      ],
    );
    for (const tool of UI_TOOLS) assert.equal(findUiTool(tool.name), tool);
    for (const id of ["", "SET_UI_THEME_COLOR", "constructor", "read_file"]) {
      assert.equal(findUiTool(id), undefined);
    }
  });
});
