import type { ComponentType } from "preact";
import type { IconName } from "./ui/icon.tsx";

/** A page of the console. Its own part of the address is `route` behind its path. */
export interface ConsolePage {
  /** The first part of its address. */
  path: string;
  title: string;
  icon: IconName;
  Page: ComponentType;
}
