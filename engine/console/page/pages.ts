import type { ComponentType } from "preact";
import { ApprovalsPage } from "./approvals/approvals-page.tsx";
import { ChatPage } from "./chat/conversation-view.tsx";
import { FoldersPage } from "./folders/folders-page.tsx";
import { KeysPage } from "./keys/keys-page.tsx";
import { ModelsPage } from "./models/models-page.tsx";
import { ToolsPage } from "./tools/tools-page.tsx";
import type { IconName } from "./ui/icon.tsx";
import { UsagePage } from "./usage/usage-page.tsx";

/** A page of the console. Its address is its path, the workspace, and what it names itself. */
export interface ConsolePage {
  /** The first part of its address. Its first letter is its shortcut, which no other page has. */
  path: string;
  title: string;
  icon: IconName;
  Page: ComponentType;
}

/** The pages, in the order of the navigation; the first one opens. */
export const PAGES: readonly ConsolePage[] = [
  { path: "chat", title: "New chat", icon: "new", Page: ChatPage },
  { path: "folders", title: "Folders", icon: "folder", Page: FoldersPage },
  { path: "models", title: "Models", icon: "models", Page: ModelsPage },
  { path: "tools", title: "Tools", icon: "tools", Page: ToolsPage },
  { path: "approvals", title: "Approvals", icon: "approvals", Page: ApprovalsPage },
  { path: "keys", title: "Keys", icon: "key", Page: KeysPage },
  { path: "usage", title: "Usage", icon: "usage", Page: UsagePage },
];
