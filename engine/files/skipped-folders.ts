/** Folders that no search and no index run enters: tools make, fetch or keep what is in them (Engine §4, workspace files). */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  ".git .hg .svn .engine .dart_tool node_modules build dist bin obj __pycache__ .venv venv".split(
    " ",
  ),
);
