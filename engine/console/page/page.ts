import type { ComponentType } from "preact";
import type { EngineClient } from "../../client/client.ts";
import type { IconName } from "./ui/icon.tsx";

/** What every page gets. */
export interface PageProps {
  engine: EngineClient;
}

/** A page of the console. Its own part of the address is `route` behind its path. */
export interface ConsolePage {
  /** The first part of its address. */
  path: string;
  title: string;
  icon: IconName;
  Page: ComponentType<PageProps>;
}
