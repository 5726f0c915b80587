import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { opensSearch, SearchDialog } from "./chat/search-dialog.tsx";
import { Instructions, showsInstructions } from "./instructions.tsx";
import { PAGES } from "./pages.ts";
import { hrefOf } from "./router.ts";
import { type Action, actionOf, letterOfPages } from "./shortcut-keys.ts";
import { Dialog } from "./ui/dialog.tsx";
import { workspace } from "./workspaces.ts";

const GO_WAIT_MS = 1500;
const LETTERS = letterOfPages(PAGES.map(({ path }) => path));
const TYPED_IN = "input, textarea, select, [contenteditable]";

/** Whether the list of shortcuts is shown. */
export const showsShortcuts = signal(false);

/** Keys of the whole console; a dialog has its own. */
export function Shortcuts() {
  useEffect(() => {
    let goUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const isAfterGo = event.timeStamp < goUntil;
      const action = actionOf(pressed(event), isAfterGo, LETTERS);
      goUntil = action?.type === "go" ? event.timeStamp + GO_WAIT_MS : 0;
      if (action && act(action)) event.preventDefault();
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

function pressed({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) {
  const isTyping = target instanceof Element && target.matches(TYPED_IN);
  return { key, hasModifier: ctrlKey || metaKey || altKey, isTyping };
}

/** @returns whether it did something. */
function act(action: NonNullable<Action>): boolean {
  if (action.type === "page") location.hash = hrefOf(action.path);
  if (action.type === "help") showsShortcuts.value = true;
  if (action.type === "search") opensSearch.value = true;
  if (action.type === "leave") leaveField();
  if (action.type !== "write") return action.type !== "leave";
  const field = document.querySelector<HTMLElement>("#content :is(textarea, input[type=search])");
  field?.focus();
  return field !== null;
}

function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

const OTHERS = [
  { keys: ["Ctrl", "K"], does: "Search chats" },
  { keys: ["/"], does: "Go to the message or search field" },
  { keys: ["Enter"], does: "Send; with Shift, start a new line" },
  { keys: ["Esc"], does: "Stop the answer, or leave a field or dialog" },
  { keys: ["?"], does: "Show this list" },
];

function Help() {
  const pages = [...LETTERS].flatMap(([letter, path]) => {
    const page = PAGES.find((it) => it.path === path);
    return page ? [{ keys: ["g", letter], does: page.title }] : [];
  });
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
