import { ChatPage } from "./chat/chat-page.tsx";
import { FoldersPage } from "./folders/folders-page.tsx";
import { HomePage } from "./home/home-page.tsx";
import { ModelsPage } from "./models/models-page.tsx";
import type { ConsolePage } from "./page.ts";
import { UsagePage } from "./usage/usage-page.tsx";

/** The pages, in the order of the navigation; the first one opens. */
export const PAGES: readonly ConsolePage[] = [
  { path: "home", title: "Home", icon: "home", Page: HomePage },
  { path: "chat", title: "Chat", icon: "chat", Page: ChatPage },
  { path: "folders", title: "Folders", icon: "folder", Page: FoldersPage },
  { path: "models", title: "Models", icon: "models", Page: ModelsPage },
  { path: "usage", title: "Usage", icon: "usage", Page: UsagePage },
];
