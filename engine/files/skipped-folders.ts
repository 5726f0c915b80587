/** The folder of a root that has its index. It is shown to no client and no model. */
export const ENGINE_FOLDER = ".engine";

/** Folders of generated or downloaded files, which searches and index runs skip (Engine §4, workspace files). */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  ".git .hg .svn .engine .dart_tool node_modules build dist bin obj __pycache__ .venv venv".split(
    " ",
  ),
);
