import { hrefOf, route } from "../router.ts";
import { Tabs } from "../ui/tabs.tsx";
import { InWorkspace } from "../ui/workspaces.tsx";
import { Approvals } from "./approvals.tsx";
import { Catalog } from "./catalog.tsx";
import { ConfiguredModels } from "./configured-models.tsx";
import { Servers } from "./servers.tsx";

const TABS = [
  ["models", "Models"],
  ["tools", "Tools"],
  ["servers", "MCP servers"],
  ["approvals", "Approvals"],
] as const;

/** Models and tools: what answers, what it may use, and what asks first. */
export function ModelsPage() {
  const wanted = route.value[1];
  const [current] = TABS.find(([name]) => name === wanted) ?? TABS[0];
  return (
    <>
      <h1>Models and tools</h1>
      <Tabs
        label="Models and tools"
        tabs={TABS}
        current={current}
        onSelect={(name) => {
          location.hash = hrefOf("models", name);
        }}
      >
        {current === "models" && <ConfiguredModels />}
        {current !== "models" && (
          <InWorkspace page={["models", current]}>
            {(workspace) => {
              const props = { key: workspace.uuid, workspace };
              if (current === "tools") return <Catalog {...props} />;
              if (current === "servers") return <Servers {...props} />;
              return <Approvals {...props} />;
            }}
          </InWorkspace>
        )}
      </Tabs>
    </>
  );
}
