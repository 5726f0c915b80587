import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { ForeignText } from "../../../engine/mcp/foreign-text.ts";
import { offeredName } from "../../../engine/mcp/names.ts";
import { parseToggles } from "../../../engine/policies/stored-configs.ts";

for (const [server, tool, name] of [
  ["docs", "search", "mcp_docs_search"],
  ["My Docs!", "Search.Pages", "mcp_mydocs_search_pages"],
  ["ä", "日本", "mcp_server_tool"],
  ["_x_", "-y-", "mcp_x_y"],
  ["a server with a very long name", "t", "mcp_aserverwithaverylongname_t"],
] as const) {
  it(`${tool} of ${server} is offered as ${name}`, () => {
    assert.equal(offeredName(server, tool, new Set()), name);
  });
}

it("no server gives a tool the name of another server's", () => {
  for (const servers of [
    ["git", "git_hub"],
    ["git_hub", "git"],
  ]) {
    const taken = new Set<string>();
    const tools: Record<string, string> = { git: "hub_delete", git_hub: "delete" };
    const names = servers.map((server) => [server, offeredName(server, tools[server]!, taken)]);
    assert.deepEqual(Object.fromEntries(names), {
      git: "mcp_git_hub_delete",
      git_hub: "mcp_github_delete",
    });
  }
});

it("names are of [a-z0-9_], at most 64 characters, and each is given once", () => {
  const pairs = fc.array(fc.tuple(fc.string({ maxLength: 90 }), fc.string({ maxLength: 140 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(pairs, (given) => {
      const taken = new Set<string>();
      const names = given.map(([server, tool]) => offeredName(server, tool, taken));
      assert.equal(new Set(names).size, names.length);
      for (const name of names) assert.match(name, /^mcp_[a-z0-9_]{1,60}$/);
    }),
  );
});

it("text of a server holds no header that it received, whole or after its scheme, and stays within its bound", () => {
  const secret = fc.stringMatching(/^[\x21-\x7e]{6,40}$/);
  fc.assert(
    fc.property(
      secret,
      fc.string(),
      fc.integer({ min: 100, max: 400 }),
      (value, around, bytesMax) => {
        const text = new ForeignText([`Bearer ${value}`]);
        const clean = text.clean(`${around}${value}${around}Bearer ${value}`.repeat(5), bytesMax);
        assert.ok(!clean.includes(value));
        assert.ok(Buffer.byteLength(clean) <= bytesMax);
      },
    ),
  );
});

for (const [what, mcp, expected] of [
  ["nothing", undefined, [false, true]],
  ["an empty object", {}, [false, true]],
  ["a literal true", { u: { enabled: true } }, [true, true]],
  ["the text true", { u: { enabled: "true" } }, [false, true]],
  ["a number", { u: { enabled: 1 } }, [false, true]],
  ["a tool that is off", { u: { enabled: true, tools: { t: false } } }, [true, false]],
  ["a tool that is null", { u: { enabled: true, tools: { t: null } } }, [true, true]],
  ["another server", { v: { enabled: true } }, [false, true]],
  ["a prototype", { __proto__: { u: { enabled: true } } }, [false, true]],
  ["a list", [], [false, true]],
] as const) {
  it(`toolsConfig.mcp of ${what} gives server and tool ${expected.join(" and ")}`, () => {
    const toggles = parseToggles(JSON.stringify({ mcp }), null);
    assert.deepEqual([toggles.allowsServer("u"), toggles.allowsServerTool("u", "t")], expected);
  });
}
