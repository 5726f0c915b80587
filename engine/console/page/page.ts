import type { ComponentType } from "preact";
import type { IconName } from "./ui/icon.tsx";

/** A page of the console. Its address is its path, the workspace, and what it names itself. */
export interface ConsolePage {
  /** The first part of its address. */
  path: string;
  title: string;
  icon: IconName;
  Page: ComponentType;
}
