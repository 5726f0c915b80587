import { ApprovalsPage } from "./approvals/approvals-page.tsx";
import { ChatPage } from "./chat/chat-page.tsx";
import { FoldersPage } from "./folders/folders-page.tsx";
import { ModelsPage } from "./models/models-page.tsx";
import type { ConsolePage } from "./page.ts";
import { ToolsPage } from "./tools/tools-page.tsx";
import { UsagePage } from "./usage/usage-page.tsx";

/** The pages, in the order of the navigation; the first one opens. */
export const PAGES: readonly ConsolePage[] = [
  { path: "chat", title: "New chat", icon: "new", Page: ChatPage },
  { path: "folders", title: "Folders", icon: "folder", Page: FoldersPage },
  { path: "models", title: "Models", icon: "models", Page: ModelsPage },
  { path: "tools", title: "Tools", icon: "tools", Page: ToolsPage },
  { path: "approvals", title: "Approvals", icon: "approvals", Page: ApprovalsPage },
  { path: "usage", title: "Usage", icon: "usage", Page: UsagePage },
];
