import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { opensSearch, SearchDialog } from "./chat/search-dialog.tsx";
import { Instructions, showsInstructions } from "./instructions.tsx";
import { PAGES } from "./pages.ts";
import { hrefOf } from "./router.ts";
import { Dialog } from "./ui/dialog.tsx";
import { workspace } from "./workspaces.ts";

const GO_WAIT_MS = 1500;
const TYPED_IN = "input, textarea, select, [contenteditable]";

/** Whether the list of shortcuts is shown. */
export const showsShortcuts = signal(false);

/** Keys of the whole console; a dialog has its own. */
export function Shortcuts() {
  useEffect(() => {
    let goUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const done = act(event, event.timeStamp < goUntil);
      goUntil = done === "go" ? event.timeStamp + GO_WAIT_MS : 0;
      if (done) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      {showsShortcuts.value && <Help />}
      {workspace.value && <SearchDialog />}
      {workspace.value && showsInstructions.value && <Instructions />}
    </>
  );
}

/**
 * Does what a key stands for; after `g`, the first letter of a page's path leads to it. Where text is typed, only Escape and the
 * search do something.
 * @returns whether it did something; `go` if a letter comes next.
 */
function act(event: KeyboardEvent, isAfterGo: boolean): boolean | "go" {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) {
    if (key === "k") opensSearch.value = true;
    return key === "k";
  }
  if (target instanceof HTMLElement && target.matches(TYPED_IN)) {
    if (key === "Escape") target.blur();
    return false;
  }
  const page = isAfterGo ? PAGES.find(({ path }) => path[0] === key) : undefined;
  if (page) location.hash = hrefOf(page.path);
  else if (key === "?") showsShortcuts.value = true;
  else if (key === "/") return focusField();
  else return key === "g" && "go";
  return true;
}

/** Goes to the first field of the page. @returns whether it has one. */
function focusField(): boolean {
  const field = document.querySelector<HTMLElement>("#content :is(textarea, input[type=search])");
  field?.focus();
  return field !== null;
}

const OTHERS = [
  { keys: ["Ctrl", "K"], does: "Search chats" },
  { keys: ["/"], does: "Go to the message or search field" },
  { keys: ["Enter"], does: "Send; with Shift, start a new line" },
  { keys: ["Esc"], does: "Stop the answer, or leave a field or dialog" },
  { keys: ["?"], does: "Show this list" },
];

function Help() {
  const pages = PAGES.map(({ path, title }) => ({ keys: ["g", path.charAt(0)], does: title }));
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (showsShortcuts.value = false)}>
      <dl class="keys">
        {[...pages, ...OTHERS].map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
