import { join } from "node:path";
import { after } from "node:test";
import { API } from "typescript/unstable/sync";
import { ROOT } from "./sources.ts";

let api: API | undefined;

// Outside of any suite: after the last test of this process.
after(() => api?.close());

/** The project of tsconfig.json as TypeScript has it. It is opened once: that takes seconds of the processor. */
export function openProject() {
  api ??= new API({ cwd: ROOT });
  const config = join(ROOT, "tsconfig.json");
  const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
  if (!project) throw new Error("TypeScript did not open tsconfig.json.");
  return project;
}
